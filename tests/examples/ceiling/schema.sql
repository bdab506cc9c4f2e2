-- The least that a log with a head needs: heads that are moved on, and entries that are added.
CREATE TABLE ceiling_heads (
    id uuid PRIMARY KEY,
    version int NOT NULL,
    status text NOT NULL,
    state jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE TABLE ceiling_entries (
    head_id uuid NOT NULL,
    version int NOT NULL,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (head_id, version)
);
INSERT INTO ceiling_heads (id, version, status, state)
    SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 0, 'active',
        jsonb_build_object('turn', 0, 'filling', repeat('s', 200))
    FROM generate_series(1, 10000) n;
ANALYZE ceiling_heads;

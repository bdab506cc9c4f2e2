FROM rust:1.95-slim-bookworm AS build
WORKDIR /source
RUN apt-get update && apt-get install -y --no-install-recommends build-essential && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cargo build --release --locked -p quartett-api && strip target/release/quartett

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates curl && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 quartett && install -d -o quartett /data
COPY --from=build /source/target/release/quartett /usr/local/bin/quartett
USER quartett
WORKDIR /data
VOLUME /data
# Migrations run at the start, under a lock. Give DATABASE_URL and SEAL_KEY for Postgres.
ENV LISTEN=0.0.0.0:8080
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s CMD curl -fsS http://127.0.0.1:8080/healthz || exit 1
ENTRYPOINT ["quartett"]

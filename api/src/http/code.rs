//! Every reason the service gives for not doing something, each with a stable name.

use actix_web::http::StatusCode;

macro_rules! codes {
    ($($Code:ident $name:literal $status:ident $title:literal $explanation:literal)+) => {
        /// Why a request was not carried out.
        ///
        /// The name is part of the contract: clients branch on it, so it never changes its meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(
            #[doc = $explanation]
            $Code,
        )+ }

        impl Code {
            /// Every code, in the order of the statuses they answer with.
            pub const ALL: &[Self] = &[$(Self::$Code),+];

            /// The stable name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Code => $name),+ }
            }

            /// The status it answers with.
            #[must_use]
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$Code => StatusCode::$status),+ }
            }

            /// A few words for people.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$Code => $title),+ }
            }

            /// What happened and what a client can do about it.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$Code => $explanation),+ }
            }
        }
    };
}

impl Code {
    /// The code called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

codes! {
    InvalidBody "invalid_body" BAD_REQUEST "The body does not fit"
        "The body is not JSON, or not of the documented shape. `errors` points to what does not fit."
    InvalidQuery "invalid_query" BAD_REQUEST "The query does not fit"
        "A query parameter is unknown, missing or out of its bounds. `errors` points to it."
    InvalidCursor "invalid_cursor" BAD_REQUEST "The cursor is not from here"
        "A cursor is opaque: send back exactly what the list before gave, for the same list."
    InvalidHeader "invalid_header" BAD_REQUEST "A header does not fit"
        "A header of the request cannot be read."
    InvalidVersion "invalid_version" BAD_REQUEST "No such version number"
        "Versions of a match are whole numbers from 1."
    BadRequest "bad_request" BAD_REQUEST "The request cannot be read"
        "The request is not well-formed HTTP as the service understands it."
    IdempotencyKeyMissing "idempotency_key_missing" BAD_REQUEST "An Idempotency-Key is required"
        "Send an `Idempotency-Key` header of 16 to 128 visible characters: one per intent, kept when the request is sent again."
    IdempotencyKeyInvalid "idempotency_key_invalid" BAD_REQUEST "The Idempotency-Key does not fit"
        "An `Idempotency-Key` has 16 to 128 visible ASCII characters."

    Unauthenticated "unauthenticated" UNAUTHORIZED "A token is required"
        "Send the access token as `Authorization: Bearer …`."
    TokenInvalid "token_invalid" UNAUTHORIZED "The token is not valid"
        "The access token was not made by this service or was altered. Sign in again."
    TokenExpired "token_expired" UNAUTHORIZED "The token has expired"
        "Access tokens live 15 minutes. Use the refresh token to get a new one."
    SessionRevoked "session_revoked" UNAUTHORIZED "The session has ended"
        "This device was signed out. Sign in again."
    CredentialsInvalid "credentials_invalid" UNAUTHORIZED "Wrong name or password"
        "There is no account with this username and password."
    RefreshTokenInvalid "refresh_token_invalid" UNAUTHORIZED "The refresh token is not valid"
        "The refresh token is unknown, or its session has ended or expired. Sign in again."
    RefreshTokenReused "refresh_token_reused" UNAUTHORIZED "The refresh token was used before"
        "A refresh token came back after its successor was in use: it may have been stolen, so the session was ended. Sign in again."

    NotYourSeat "not_your_seat" FORBIDDEN "Not your seat"
        "While a match runs, it can be replayed from one's own seat only."
    PasswordWrong "password_wrong" FORBIDDEN "The present password is wrong"
        "To change a password, give the present one."
    Forbidden "forbidden" FORBIDDEN "Not allowed"
        "The caller is known, but this is not allowed to them."

    NotFound "not_found" NOT_FOUND "Not found"
        "There is nothing here, or nothing the caller may know about."
    MethodNotAllowed "method_not_allowed" METHOD_NOT_ALLOWED "The method does not fit"
        "The path exists, but not with this method. `Allow` lists those it has."
    NotAcceptable "not_acceptable" NOT_ACCEPTABLE "No such representation"
        "The service cannot answer in a form that `Accept` asks for."

    BodyTooSlow "body_too_slow" REQUEST_TIMEOUT "The body came too slowly"
        "The whole body must be here 15 seconds after the head of the request. Nothing was done: send it again."

    UsernameTaken "username_taken" CONFLICT "The username is taken"
        "Somebody else has this username. Upper and lower case do not tell names apart."
    AlreadyRegistered "already_registered" CONFLICT "The account is registered already"
        "Only a guest can be upgraded."
    GuestHasNoPassword "guest_has_no_password" CONFLICT "A guest has no password"
        "Upgrade the guest first: that sets a username and a password."
    VersionConflict "version_conflict" CONFLICT "The match has moved on"
        "The action was meant for another version. Read the history after your version; if the action is still among the legal ones, send it again with the same key and `current_version`."
    VersionAhead "version_ahead" CONFLICT "The match is not that far"
        "The version or cursor lies above the head of the match. Read the match again."
    MatchOver "match_over" CONFLICT "The match is over"
        "The match has ended or was cancelled."
    MatchNotOver "match_not_over" CONFLICT "The match is not over"
        "This exists only once the match has ended."
    MatchNotStarted "match_not_started" CONFLICT "The match has not started"
        "Wait until the seats are taken and the match has started."
    MatchStarted "match_started" CONFLICT "The match has started"
        "This is possible only while the match waits for players."
    MatchFull "match_full" CONFLICT "The match is full"
        "Every seat is taken."
    TooManyMatches "too_many_matches" CONFLICT "Too many matches"
        "You have a seat in as many unfinished matches as one may have. Play one to its end, or leave one that waits."
    SeatsFree "seats_free" CONFLICT "Seats are free"
        "Wait for more players, or fill the free seats with bots."
    NotHost "not_host" CONFLICT "Only the host may do this"
        "Starting, cancelling and inviting belong to the host of the match."
    NotSeated "not_seated" CONFLICT "You have no seat in this match"
        "Take a seat first."
    SeatHeldByBot "seat_held_by_bot" CONFLICT "A bot holds your seat"
        "You were away, so a bot plays for you. Call `return` to take the seat back."
    SeatResigned "seat_resigned" CONFLICT "The seat was resigned"
        "A resigned seat is played by a bot to the end of the match."
    InviteNotPossible "invite_not_possible" CONFLICT "This match takes no invites"
        "Only a waiting match that was created for invites has a code."
    TicketClosed "ticket_closed" CONFLICT "The ticket is closed"
        "The ticket was matched, cancelled or has expired."

    InviteExpired "invite_expired" GONE "The invite has expired"
        "Ask the host for a new code."

    BodyTooLarge "body_too_large" PAYLOAD_TOO_LARGE "The body is too large"
        "A body may have 64 KiB."
    UnsupportedMediaType "unsupported_media_type" UNSUPPORTED_MEDIA_TYPE "The body is not plain JSON"
        "Send `Content-Type: application/json` in UTF-8 and without a `Content-Encoding`."

    NotYourTurn "not_your_turn" UNPROCESSABLE_ENTITY "Not your turn"
        "Another seat is to move."
    WrongPhase "wrong_phase" UNPROCESSABLE_ENTITY "Not now"
        "The seat is to move, but another action is due in this phase of its turn."
    UnknownSeat "unknown_seat" UNPROCESSABLE_ENTITY "No such seat"
        "The match has no seat with this number."
    UnknownCard "unknown_card" UNPROCESSABLE_ENTITY "No such card"
        "The deck has no card with this number."
    UnknownAttribute "unknown_attribute" UNPROCESSABLE_ENTITY "No such attribute"
        "The deck has no such attribute."
    UnknownGroup "unknown_group" UNPROCESSABLE_ENTITY "No such group"
        "The deck has no such group."
    UnknownPlace "unknown_place" UNPROCESSABLE_ENTITY "No such place"
        "The table has no place with this number."
    CannotAskYourself "cannot_ask_yourself" UNPROCESSABLE_ENTITY "You cannot ask yourself"
        "Ask another seat."
    CardInOwnHand "card_in_own_hand" UNPROCESSABLE_ENTITY "The card is in your hand"
        "Ask for a card you do not have."
    NoCardOfGroup "no_card_of_group" UNPROCESSABLE_ENTITY "You hold no card of the group"
        "Only cards of a group can be asked for of which the hand holds one."
    TargetOut "target_out" UNPROCESSABLE_ENTITY "The asked seat has no cards"
        "Ask a seat that still holds cards."
    WrongGroup "wrong_group" UNPROCESSABLE_ENTITY "The card is of another group"
        "A duel is fought with a card of the group that was asked for."
    NotYourCard "not_your_card" UNPROCESSABLE_ENTITY "The card is not in your hand"
        "Play a card of your own hand."
    IncompleteQuartet "incomplete_quartet" UNPROCESSABLE_ENTITY "The quartet is not complete"
        "All four cards of the group must be in the hand."
    NoValue "no_value" UNPROCESSABLE_ENTITY "The card has no value there"
        "An attribute can be chosen only where the own card has a value."
    HopelessAsk "hopeless_ask" UNPROCESSABLE_ENTITY "The ask is hopeless"
        "It is known openly that the asked seat does not have the card; the guard against endless play refuses such asks."
    PlaceAlreadyOpen "place_already_open" UNPROCESSABLE_ENTITY "The card lies open already"
        "Flip another place."
    PlaceEmpty "place_empty" UNPROCESSABLE_ENTITY "The place is empty"
        "The card was taken. Flip another place."
    ActionNotInThisGame "action_not_in_this_game" UNPROCESSABLE_ENTITY "Not an action of this game"
        "The action belongs to another game."
    DeckUnfit "deck_unfit" UNPROCESSABLE_ENTITY "The deck does not fit the game"
        "The deck lacks what this game needs."
    UnknownDeck "unknown_deck" UNPROCESSABLE_ENTITY "No such deck"
        "There is no deck with this id."
    SeatsOutOfRange "seats_out_of_range" UNPROCESSABLE_ENTITY "Not with this number of seats"
        "The game is played by another number of seats."
    OptionOutOfRange "option_out_of_range" UNPROCESSABLE_ENTITY "An option is out of its bounds"
        "An option of the game has a value it cannot take."
    IdempotencyKeyReused "idempotency_key_reused" UNPROCESSABLE_ENTITY "The Idempotency-Key was used for something else"
        "The key came with another request before. Take a new key for each intent."
    PasswordCommon "password_common" UNPROCESSABLE_ENTITY "The password is too common"
        "This password stands on lists that attackers try first. Choose another."
    CannotBlockYourself "cannot_block_yourself" UNPROCESSABLE_ENTITY "You cannot block yourself"
        "Give the id of another player."

    RateLimited "rate_limited" TOO_MANY_REQUESTS "Too many requests"
        "Wait as long as `Retry-After` says. `RateLimit` and `RateLimit-Policy` tell how much is allowed."

    Internal "internal" INTERNAL_SERVER_ERROR "Something went wrong here"
        "A fault of the service. It was recorded under the request id."

    Unavailable "unavailable" SERVICE_UNAVAILABLE "Not available right now"
        "The service or its database is busy or restarting. Try again after `Retry-After`."
    OutcomeUnknown "outcome_unknown" SERVICE_UNAVAILABLE "It is not known whether this was stored"
        "The connection to the database broke at the last moment. Send the same request again with the same key: it counts once."
    MatchFrozen "match_frozen" SERVICE_UNAVAILABLE "The match is frozen"
        "Stored data of this match was lost or altered, so it takes no actions until an operator has looked at it."
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn names_are_unique_and_in_snake_case() {
        for code in Code::ALL {
            let name = code.name();
            assert_eq!(Code::named(name), Some(*code), "{name} stands twice");
            assert!(
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
                "{name}"
            );
            assert!(code.status().is_client_error() || code.status().is_server_error());
        }
        assert_eq!(Code::named("OK"), None);
    }

    #[test]
    fn every_code_is_listed_in_the_order_of_its_status() {
        assert!(Code::ALL.is_sorted_by_key(|code| code.status().as_u16()));
    }
}

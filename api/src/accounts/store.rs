//! The statements of this slice, by what they are about.

mod blocks;
mod erasure;
mod players;
mod refresh;
mod sessions;

pub(super) use blocks::{BlockRow, block, blocks, unblock};
pub(crate) use blocks::{Blocks, blocked_between, blocks_among};
pub(super) use erasure::{MatchRow, TicketRow, erase, every_block, every_session, matches_of, tickets_of};
pub(crate) use players::public_player;
pub(super) use players::{
    ChangeRow, NewPlayer, change_profile, confirm_hash, credentials, credentials_of, exists, insert_player,
    player, profiles_changed_since, replace_hash, upgrade,
};
pub(super) use refresh::{
    RefreshRow, forget_spent, insert_refresh_token, last_generation, refresh_token, session_of_token, spend,
};
pub(super) use sessions::{
    NewSession, SessionRow, insert_session, is_live, live_sessions, revoke_others, revoke_own,
    revoke_session, revoked_since, sweep, touch_session,
};

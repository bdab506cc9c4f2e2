//! The statements of this slice.

mod invites;
mod listing;
mod matches;
mod seats;

pub(super) use invites::{invite, set_invite};
pub(super) use listing::{LobbyPage, LobbyPosition, OpenMatchRow, open_matches};
pub(super) use matches::{NewMatch, created_with, insert_match, note_lobby, rematch_of, starts_by_itself};
pub(crate) use seats::{BOT_LEVELS, departing};
pub(super) use seats::{
    UNFINISHED_MAX, count_unfinished, delete_seat, insert_bot_seat, insert_player_seat, seat_held_by,
    seated_player, take_opening_answers, unfinished_matches, unlink_everywhere, unlink_seat,
};

//! Who may know of a match.

use quartett_engine::Status;
use sea_orm::{ConnectionTrait, DbErr};

use super::table::Table;
use crate::accounts::blocked_between;
use crate::http::Problem;
use crate::ids::PlayerId;
use crate::wire::Visibility;

impl Table {
    /// Whether a player may know of this match: who holds a seat, and while it waits openly anybody who may meet
    /// those who do.
    pub(crate) async fn is_visible_to(
        &self,
        connection: &impl ConnectionTrait,
        player: PlayerId,
    ) -> Result<bool, DbErr> {
        if self.seat_of(player).is_some() {
            return Ok(true);
        }
        let is_in_lobby =
            self.state.status() == Status::Waiting && self.invitation.visibility == Visibility::Open;
        Ok(is_in_lobby && self.may_be_met_by(connection, player).await?)
    }

    /// Refuses whoever may not know of this match, as if it was not there.
    pub(crate) async fn must_be_visible_to(
        &self,
        connection: &impl ConnectionTrait,
        player: PlayerId,
    ) -> Result<(), Problem> {
        if self.is_visible_to(connection, player).await? {
            Ok(())
        } else {
            Err(Problem::not_found())
        }
    }

    /// Whether nobody at the table has blocked the player, or is blocked by the player. Who has blocked whom is not
    /// told: to either of them the other's match is not there, by no path. A block does not part those who
    /// sit at one table already.
    pub(crate) async fn may_be_met_by(
        &self,
        connection: &impl ConnectionTrait,
        player: PlayerId,
    ) -> Result<bool, DbErr> {
        if self.seat_of(player).is_some() {
            return Ok(true);
        }
        let seated = self.players.iter().filter_map(|(_, seated)| seated.as_ref());
        let seated: Vec<PlayerId> = seated.map(|seated| seated.player_id).collect();
        Ok(!blocked_between(connection, player, &seated).await?)
    }
}

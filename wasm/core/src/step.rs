//! One event in, a list of actions out. Everything is checked before anything changes.

use crate::dev_zap::*;
use core::result::Result;
use crate::hash::hash;
use crate::output::{route, Out};
use crate::reply::Entry;
use crate::state::{Message, Queued, Session, Settings};
use crate::turn::*;
use crate::zap::{open, Refusal, Why};
use alloc::vec::Vec;

/// What an attachment adds to the token estimate, in bytes, at most.
const MAX_ATTACHMENT_BYTES: u64 = 96 << 10;

/// Takes one event. An error has changed nothing.
pub fn step(session: &mut Session, message: &[u8]) -> Result<Vec<u8>, Refusal> {
    let event = Event(open(message, &EVENT)?);
    check(event)?;
    let is_too_long = message.len() > session.limits.message_bytes as usize;
    let digest = if is_too_long { 0 } else { hash(0, message) };
    let entry = Entry { seq: event.entry(), digest, bytes: message.len(), is_too_long };
    let mut out = Out::new(capacity(session, event, message.len()));
    session.take(event, &entry, &mut out)?;
    session.advance(&mut out);
    Ok(out.finish())
}

/// Most answers fit without growing.
fn capacity(session: &Session, event: Event, bytes: usize) -> usize {
    match event.kind() {
        event_kind::MODEL => bytes + 1024,
        event_kind::RESUME => 256 + session.outstanding.iter().map(|o| o.action.len()).sum::<usize>(),
        _ => 1024,
    }
}

/// Whether the one struct that belongs to the kind is there, with ids in bounds.
fn check(event: Event) -> Result<(), Refusal> {
    if !Session::is_id(event.entry()) {
        return Err(&Why("entry out of bounds"));
    }
    let id = match event.kind() {
        event_kind::TURN => {
            let turn = event.turn().ok_or(&Why("no turn"))?;
            if turn.prompt().is_empty() && turn.attachments().count == 0 {
                return Err(&Why("an empty turn"));
            }
            turn.id()
        }
        event_kind::MODEL => event.model().ok_or(&Why("no reply"))?.id(),
        event_kind::MODEL_FAILED => event.model_failed().ok_or(&Why("no failure"))?.id(),
        event_kind::EXEC | event_kind::FILE | event_kind::GIT | event_kind::BROWSE => {
            event.result().ok_or(&Why("no result"))?.id()
        }
        event_kind::ANSWER => event.answer().ok_or(&Why("no answer"))?.id(),
        // A cancel of turn 0 is a cancel of an unknown turn.
        event_kind::CANCEL => event.cancel().ok_or(&Why("no cancel"))?.turn().max(1),
        event_kind::RESUME => event.resume().ok_or(&Why("no resume"))?.highest_action().max(1),
        event_kind::CONFIGURE => {
            event.configure().ok_or(&Why("no config"))?;
            1
        }
        _ => 1,
    };
    if !Session::is_id(id) {
        return Err(&Why("id out of bounds"));
    }
    if structs(event) != (event.kind() != event_kind::TIMER) as u32 {
        return Err(&Why("a struct of another kind"));
    }
    Ok(())
}

/// How many of the structs are there.
fn structs(event: Event) -> u32 {
    const SLOTS: [u32; 8] = [
        Event::TURN_AT,
        Event::MODEL_AT,
        Event::MODEL_FAILED_AT,
        Event::RESULT_AT,
        Event::ANSWER_AT,
        Event::CANCEL_AT,
        Event::RESUME_AT,
        Event::CONFIGURE_AT,
    ];
    SLOTS.iter().map(|slot| (event.0.u32(*slot) != 0) as u32).sum()
}

impl Session {
    fn take(&mut self, event: Event, entry: &Entry, out: &mut Out) -> Result<(), Refusal> {
        match event.kind() {
            event_kind::TURN => event.turn().map(|t| self.on_turn(t, entry, out)),
            event_kind::MODEL => event.model().map(|r| self.on_model(r, entry, out)),
            event_kind::MODEL_FAILED => {
                event.model_failed().map(|failed| self.on_model_failed(failed, out))
            }
            event_kind::ANSWER => event.answer().map(|a| self.on_answer(a, entry, out)),
            event_kind::CANCEL => event.cancel().map(|c| self.on_cancel(c.turn(), out)),
            event_kind::RESUME => match event.resume() {
                Some(resume) => return self.on_resume(resume.highest_action(), out),
                None => None,
            },
            event_kind::CONFIGURE => match event.configure() {
                Some(config) => return self.on_configure(config, entry, out),
                None => None,
            },
            event_kind::TIMER => {
                if self.turn != 0 && self.dirty {
                    self.save(out);
                }
                None
            }
            family => event.result().map(|r| self.on_result(family, r, entry, out)),
        };
        Ok(())
    }

    #[inline(never)]
    fn on_configure(&mut self, config: Config, entry: &Entry, out: &mut Out) -> Result<(), Refusal> {
        if entry.is_too_long {
            return Err(&Why("a Config that is too long"));
        }
        self.configure(Settings::of(config)?, entry.seq);
        self.save(out);
        Ok(())
    }

    #[inline(never)]
    fn on_turn(&mut self, turn: Turn, entry: &Entry, out: &mut Out) {
        if turn.id() <= self.high {
            return;
        }
        self.high = turn.id();
        let mut size = turn.prompt().len() as u64;
        for i in 0..turn.attachments().count {
            size += turn.attachments_at(i).size_bytes().min(MAX_ATTACHMENT_BYTES);
        }
        let queued = Queued {
            turn: turn.id(),
            entry: entry.seq,
            digest: entry.digest,
            size: size.min(u32::MAX as u64) as u32,
        };
        if entry.is_too_long {
            self.save(out);
            self.done(queued.turn, outcome_kind::FAILED, &LIMIT_MESSAGE, out);
        } else if self.turn == 0 {
            self.begin(queued, out);
        } else if self.queue.len() >= self.limits.queued_turns as usize {
            self.save(out);
            self.done(queued.turn, outcome_kind::FAILED, &LIMIT_QUEUE, out);
        } else {
            self.queue.push(queued);
            self.save(out);
        }
    }

    #[inline(never)]
    fn on_result(&mut self, family: u16, result: crate::dev_zap::Result, entry: &Entry, out: &mut Out) {
        let size = result.stdout().len() + result.stderr().len() + result.message().len();
        let status = result.status();
        let has_failed = status == result_status::FAILED || status == result_status::DENIED;
        let is_ok = status == result_status::OK;
        self.answered(family, result.id(), size as u32, is_ok, has_failed, entry, out);
    }

    fn on_answer(&mut self, answer: Answer, entry: &Entry, out: &mut Out) {
        let size = answer.text().len() as u32;
        self.answered(event_kind::ANSWER, answer.id(), size, true, false, entry, out);
    }

    /// One outstanding call has its result.
    #[inline(never)]
    fn answered(
        &mut self,
        family: u16,
        id: u64,
        size: u32,
        is_ok: bool,
        has_failed: bool,
        entry: &Entry,
        out: &mut Out,
    ) {
        let i = match self.find(id) {
            Some(i) => i,
            None => return,
        };
        match route(self.outstanding[i].kind) {
            Some(r) if r.answer == family => {}
            _ => return,
        }
        let o = self.outstanding.remove(i);
        self.dirty = true;
        if entry.is_too_long {
            let text = b"failed: the result was longer than the session takes".to_vec();
            self.append_own(o.context, role::TOOL, id, text);
            return self.end(outcome_kind::FAILED, &LIMIT_MESSAGE, out);
        }
        let message = Message { role: role::TOOL, calls: 0, size, id, digest: entry.digest };
        self.append(o.context, message, entry.seq, Vec::new());
        let limit = self.limits.same_failures;
        let c = self.context(o.context);
        let mut exhausted = false;
        if has_failed {
            exhausted = c.fail(o.signature, o.kind, limit);
        } else if is_ok {
            c.succeed(o.signature);
        }
        self.settle(o.context, exhausted, out);
    }

    #[inline(never)]
    fn on_cancel(&mut self, turn: u64, out: &mut Out) {
        if self.turn != 0 && self.turn == turn {
            self.end(outcome_kind::CANCELLED, &NO_FAILURE, out);
            for queued in core::mem::take(&mut self.queue) {
                self.done(queued.turn, outcome_kind::CANCELLED, &NO_FAILURE, out);
            }
        } else if let Some(i) = self.queue.iter().position(|q| q.turn == turn) {
            self.queue.remove(i);
            self.save(out);
            self.done(turn, outcome_kind::CANCELLED, &NO_FAILURE, out);
        }
    }

    /// Puts every outstanding action out again under its old id. A ledger that knows a higher id
    /// than this state is newer than the state: going on would use ids twice.
    #[inline(never)]
    fn on_resume(&mut self, highest: u64, out: &mut Out) -> Result<(), Refusal> {
        if highest >= self.next_id {
            return Err(&Why("the state is older than the ledger"));
        }
        for o in self.outstanding.iter().filter(|o| !o.action.is_empty()) {
            out.again(&o.action);
        }
        Ok(())
    }
}

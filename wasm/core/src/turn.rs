//! The life of a turn: how it begins, how the model is asked, how it ends.

use crate::call::{decimal, join, word};
use crate::dev_zap::*;
use crate::output::Out;
use crate::state::{Outstanding, Queued, Session};
use crate::state::{Message, MAX_ID, MAX_OUTSTANDING_BYTES};
use alloc::vec::Vec;

/// Why a turn ended that is not complete.
pub struct Failed<'a> {
    pub code: &'a [u8],
    pub message: &'a [u8],
}

pub const LIMIT_STEPS: Failed =
    Failed { code: b"limit_steps", message: b"the turn has asked the model as often as it may" };
pub const LIMIT_TOKENS: Failed =
    Failed { code: b"limit_tokens", message: b"the turn has used all the tokens that it may" };
pub const LIMIT_TRANSCRIPT: Failed = Failed {
    code: b"limit_transcript",
    message: b"the session has taken in as many bytes as it may; start a new one",
};
pub const LIMIT_MESSAGE: Failed =
    Failed { code: b"limit_message", message: b"a message was longer than the session takes" };
pub const LIMIT_QUEUE: Failed =
    Failed { code: b"limit_queue", message: b"too many prompts wait already; send it again later" };
pub const LIMIT_DEPTH: Failed =
    Failed { code: b"limit_depth", message: b"an agent may not call another at this depth" };
pub const LIMIT_CALLS: Failed =
    Failed { code: b"limit_calls", message: b"a reply held more calls than one may" };
pub const LIMIT_AGENT_STEPS: Failed =
    Failed { code: b"limit_agent_steps", message: b"it has asked the model as often as it may" };
pub const LIMIT_FAILURES: Failed = Failed {
    code: b"limit_failures",
    message: b"the same call failed again and again although the model was told",
};
pub const LIMIT_OUTSTANDING: Failed = Failed {
    code: b"limit_outstanding",
    message: b"too much was asked at once of models and tools, and is not answered",
};
pub const CONTEXT_OVERFLOW: Failed = Failed {
    code: b"context_overflow",
    message: b"the conversation is too long for the model and cannot be shortened",
};

/// How a nested agent ends.
pub enum LastWords {
    /// In the reply of that entry.
    Said { entry: u64, size: u32, digest: u64 },
    Failed(Vec<u8>),
}

impl Session {
    pub fn save(&mut self, out: &mut Out) {
        let id = self.mint();
        out.save(id);
        self.dirty = false;
    }

    /// Begins a turn; nothing is in flight.
    #[inline(never)]
    pub fn begin(&mut self, q: Queued, out: &mut Out) {
        self.turn = q.turn;
        self.steps = 0;
        self.turn_tokens = 0;
        self.dirty = true;
        // A session that is full takes in no more prompts.
        if let Some(failed) = self.spent(1) {
            return self.end(outcome_kind::FAILED, &failed, out);
        }
        let message =
            Message { role: role::USER, calls: 0, size: q.size, id: 0, digest: q.digest };
        self.append(0, message, q.entry, Vec::new());
        let c = &mut self.contexts[0];
        c.prompt = c.messages.len() as u32 - 1;
        c.failures.clear();
        c.stalled = 0;
        c.overflows = 0;
        c.retries = 0;
        self.ask(0, out);
    }

    /// Begins the turns that wait, until one of them is in flight.
    pub fn advance(&mut self, out: &mut Out) {
        while self.turn == 0 && !self.queue.is_empty() {
            let next = self.queue.remove(0);
            self.begin(next, out);
        }
    }

    /// What the turn as a whole has spent.
    pub fn spent(&self, more_steps: u32) -> Option<Failed<'static>> {
        if self.steps as u64 + more_steps as u64 > self.limits.steps_per_turn as u64 {
            return Some(LIMIT_STEPS);
        }
        if self.turn_tokens > self.limits.turn_tokens {
            return Some(LIMIT_TOKENS);
        }
        if self.transcript_bytes > self.limits.transcript_bytes {
            return Some(LIMIT_TRANSCRIPT);
        }
        None
    }

    /// Asks the model for a context whose calls are all answered; compacts first where it must.
    #[inline(never)]
    pub fn ask(&mut self, context: u32, out: &mut Out) {
        if let Some(failed) = self.spent(1) {
            return self.end(outcome_kind::FAILED, &failed, out);
        }
        let limit = self.limits.context_tokens as u64;
        let agent_steps = self.limits.agent_steps;
        let c = self.context(context);
        if context != 0 && c.steps >= agent_steps {
            return self.fail(context, &LIMIT_AGENT_STEPS, out);
        }
        self.tell_failures(context);
        let tokens = self.context(context).tokens();
        if tokens > limit {
            return self.compact(context, limit * 2, out);
        }
        let purpose = if context == 0 { purpose::TURN } else { purpose::AGENT };
        self.emit_ask(context, purpose, out);
    }

    /// Tells the model of calls that fail again and again, once each.
    fn tell_failures(&mut self, context: u32) {
        let limit = self.limits.same_failures;
        let i = self.at(context);
        for f in 0..self.contexts[i].failures.len() {
            let failure = self.contexts[i].failures[f];
            if failure.count >= limit && !failure.told {
                self.contexts[i].failures[f].told = true;
                let text = join(&[
                    b"The same call of ",
                    word(failure.kind),
                    b" has failed ",
                    &decimal(failure.count as u64),
                    b" times. Do something else: if it fails once more, the turn ends.",
                ]);
                self.append_own(context, role::USER, 0, text);
            }
        }
    }

    #[inline(never)]
    pub fn emit_ask(&mut self, context: u32, purpose: u16, out: &mut Out) {
        let i = self.at(context);
        // While calls are handed out they have been judged by the same bound.
        if self.handing_out.is_none() && self.kept() + self.contexts[i].unsaid() > MAX_OUTSTANDING_BYTES {
            return self.end(outcome_kind::FAILED, &LIMIT_OUTSTANDING, out);
        }
        let id = self.mint();
        self.steps += 1;
        self.contexts[i].steps += 1;
        let action = out.ask(id, self, &self.contexts[i], purpose);
        let c = &mut self.contexts[i];
        c.sent = c.messages.len() as u32;
        c.unsent.clear();
        c.system_changed = false;
        c.replaced = None;
        self.outstanding.push(Outstanding { id, context, kind: 0, purpose, signature: 0, action });
    }

    /// Ends a context: the turn itself, or a nested agent, whose caller is told.
    #[inline(never)]
    pub fn fail(&mut self, context: u32, failed: &Failed, out: &mut Out) {
        if context == 0 {
            return self.end(outcome_kind::FAILED, failed, out);
        }
        let text = join(&[b"the agent failed: ", failed.code, b": ", failed.message]);
        self.answer_caller(context, LastWords::Failed(text), out);
    }

    /// Gives the caller of a nested agent its answer and drops the agent with all below it.
    #[inline(never)]
    pub fn answer_caller(&mut self, context: u32, words: LastWords, out: &mut Out) {
        let i = self.at(context);
        let parent = self.contexts[i].parent;
        let call_id = self.contexts[i].call_id;
        self.drop_below(context);
        let o = match self.find(call_id) {
            Some(o) => self.outstanding.remove(o),
            None => return,
        };
        let mut exhausted = false;
        match words {
            LastWords::Said { entry, size, digest } => {
                let message = Message { role: role::TOOL, calls: 0, size, id: call_id, digest };
                self.append(parent, message, entry, Vec::new());
                self.context(parent).succeed(o.signature);
            }
            LastWords::Failed(text) => {
                self.append_own(parent, role::TOOL, call_id, text);
                let limit = self.limits.same_failures;
                exhausted = self.context(parent).fail(o.signature, o.kind, limit);
            }
        }
        self.settle(parent, exhausted, out);
    }

    /// Goes on in a context after one of its calls was answered. While the calls of a reply are
    /// still being handed out the context is not settled.
    pub fn settle(&mut self, context: u32, exhausted: bool, out: &mut Out) {
        if self.handing_out == Some(context) {
            return;
        }
        if exhausted {
            return self.fail(context, &LIMIT_FAILURES, out);
        }
        if self.is_settled(context) {
            self.ask(context, out);
        }
    }

    /// Forgets a nested agent and those that it called, with what they wait for.
    fn drop_below(&mut self, context: u32) {
        let mut doomed = Vec::new();
        doomed.push(context);
        // A caller always stands before those it called.
        for c in self.contexts.iter() {
            if c.id != 0 && doomed.contains(&c.parent) {
                doomed.push(c.id);
            }
        }
        self.contexts.retain(|c| !doomed.contains(&c.id));
        self.outstanding.retain(|o| !doomed.contains(&o.context));
    }

    /// Ends the turn in flight. Calls that have no result get one, so that the transcript stays
    /// fit for the next ask.
    #[inline(never)]
    pub fn end(&mut self, outcome: u16, failed: &Failed, out: &mut Out) {
        for i in 0..self.outstanding.len() {
            let o = &self.outstanding[i];
            if o.context == 0 && o.kind != 0 {
                let id = o.id;
                self.append_own(0, role::TOOL, id, b"cancelled: the turn was ended".to_vec());
            }
        }
        self.outstanding.clear();
        self.contexts.truncate(1);
        let c = &mut self.contexts[0];
        c.span_from = 0;
        c.span_count = 0;
        self.save(out);
        let turn = self.turn;
        self.turn = 0;
        self.done(turn, outcome, failed, out);
    }

    pub fn done(&mut self, turn: u64, outcome: u16, failed: &Failed, out: &mut Out) {
        let id = self.mint();
        out.done(id, turn, outcome, failed.code, failed.message);
    }

    /// Whether an id is one that an event may carry.
    pub fn is_id(id: u64) -> bool {
        id >= 1 && id <= MAX_ID
    }
}

pub const NO_FAILURE: Failed = Failed { code: b"", message: b"" };

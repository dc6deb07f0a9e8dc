//! Keeping a conversation within its token budget: the oldest span is summarised by the model and
//! replaced. A call and its result stay on the same side. Never touched: the system message, and
//! the prompt that is being worked on.

use crate::call::join;
use crate::dev_zap::{failure_code, purpose, role, ModelReply};
use crate::output::Out;
use crate::state::{Context, Message, Replaced, Session, MESSAGE_OVERHEAD};
use crate::turn::CONTEXT_OVERFLOW;

/// Compactions in a row that may gain nothing.
const MAX_STALLED: u32 = 2;
const PREFIX: &[u8] = b"Summary of the conversation so far:\n";

/// The oldest span whose loss brings the context to `target` bytes, of at most `most` bytes unless
/// a single group is longer; from and count.
fn span(c: &Context, target: u64, most: u64) -> Option<(u32, u32)> {
    let messages = &c.messages;
    let prompt = c.prompt as usize;
    let all = messages.len();
    let has_past = prompt > 1 && !(prompt == 2 && messages[1].is_summary());
    let (from, to) = if has_past { (1, prompt) } else { (prompt + 1, last_group(c)) };
    let mut end = from;
    let mut gone = 0;
    for i in from..to {
        gone += messages[i].cost();
        let is_boundary = i + 1 == all || messages[i + 1].role != role::TOOL;
        if !is_boundary {
            continue;
        }
        if gone > most && end > from {
            break;
        }
        end = i + 1;
        if c.size - gone <= target {
            break;
        }
    }
    if end == from || (end == from + 1 && messages[from].is_summary()) {
        return None;
    }
    Some((from as u32, (end - from) as u32))
}

/// Where the newest messages begin that are kept if there are others to give up.
fn last_group(c: &Context) -> usize {
    let all = c.messages.len();
    let mut start = all;
    while start > c.prompt as usize + 1 {
        start -= 1;
        if c.messages[start].role == role::ASSISTANT {
            break;
        }
    }
    let is_first = start <= c.prompt as usize + 1
        || (start == c.prompt as usize + 2 && c.messages[start - 1].is_summary());
    if is_first {
        all
    } else {
        start
    }
}

impl Session {
    /// Asks for a summary, or ends the context when nothing can be gained.
    #[inline(never)]
    pub fn compact(&mut self, context: u32, target: u64, out: &mut Out) {
        let most = self.limits.context_tokens as u64 * 4;
        self.compact_at_most(context, target, most, out);
    }

    fn compact_at_most(&mut self, context: u32, target: u64, most: u64, out: &mut Out) {
        if let Some(failed) = self.spent(1) {
            return self.end(crate::dev_zap::outcome_kind::FAILED, &failed, out);
        }
        let c = self.context(context);
        let found = if c.stalled < MAX_STALLED { span(c, target, most) } else { None };
        match found {
            None => self.fail(context, &CONTEXT_OVERFLOW, out),
            Some((from, count)) => {
                c.span_from = from;
                c.span_count = count;
                self.emit_ask(context, purpose::COMPACT, out);
            }
        }
    }

    /// Takes the summary in.
    #[inline(never)]
    pub fn compacted(&mut self, context: u32, ask: u64, reply: ModelReply, out: &mut Out) {
        let c = self.context(context);
        let from = c.span_from as usize;
        let count = c.span_count as usize;
        c.span_from = 0;
        c.span_count = 0;
        let old: u64 = c.messages[from..from + count].iter().map(|m| m.cost()).sum();
        let body = join(&[PREFIX, reply.text()]);
        let new = body.len() as u64 + MESSAGE_OVERHEAD;
        if reply.text().is_empty() || new >= old {
            c.stalled += 1;
            return self.ask(context, out);
        }
        c.stalled = if new > old / 10 * 9 { c.stalled + 1 } else { 0 };
        let summary = Message {
            role: role::USER,
            calls: 0,
            size: body.len() as u32,
            id: ask,
            digest: crate::hash::hash(0, &body),
        };
        c.messages.drain(from + 1..from + count);
        c.messages[from] = summary;
        c.size = c.size - old + new;
        let lost = count as u32 - 1;
        c.sent -= lost;
        if c.prompt as usize > from {
            c.prompt -= lost;
        }
        c.replaced = Some(Replaced { from: from as u32, count: count as u32, body });
        self.ask(context, out);
    }

    /// The ask for a summary failed in a way that another may not.
    #[inline(never)]
    pub fn compact_again(&mut self, context: u32, code: u16, out: &mut Out) {
        let c = self.context(context);
        let from = c.span_from as usize;
        let count = c.span_count as usize;
        let size: u64 = c.messages[from..from + count].iter().map(|m| m.cost()).sum();
        let target = c.size - size;
        if code == failure_code::CONTEXT_OVERFLOW {
            c.stalled += 1;
            self.compact_at_most(context, target, size / 2, out);
        } else {
            self.compact_at_most(context, target, size, out);
        }
    }
}

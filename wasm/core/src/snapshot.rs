//! The state as bytes, and back.
//!
//! ```text
//!  0  u32 ABI    4  u32 format version    8  u64 length of the body
//! 16  u64 checksum over those 16 bytes and the body
//! 24  the body: a ZAP message with root State
//! ```
//!
//! A change of any bit, and any loss at the end, is refused. The checksum is no authentication: the
//! host signs what it stores.

use crate::dev_zap::*;
use crate::hash::hash;
use crate::output::Block;
use crate::state::*;
use crate::zap::{get_u32, get_u64, open, Refusal, Why, Writer};
use alloc::vec::Vec;
use core::result::Result;

pub const ABI: u32 = 2;
/// The version that is written. Older ones are read.
pub const FORMAT: u32 = 1;
const HEAD: usize = 24;
const MESSAGE_BYTES: usize = StateMessage::SIZE as usize;
/// Above this the ids of a restored session could reach their bound.
const MAX_NEXT_ID: u64 = 1 << 62;

fn checksum(head: &[u8], body: &[u8]) -> u64 {
    hash(hash(0, &head[..16]), body)
}

#[inline(never)]
pub fn save(s: &Session) -> Vec<u8> {
    let mut w = Writer::with_capacity(capacity(s));
    let limits = write_limits(&mut w, &s.limits);
    let queue = write_queue(&mut w, &s.queue);
    let mut contexts = Vec::with_capacity(s.contexts.len());
    for c in &s.contexts {
        contexts.push(write_context(&mut w, c));
    }
    let contexts_list = w.pointers(&contexts);
    let mut outstanding = Vec::with_capacity(s.outstanding.len());
    for o in &s.outstanding {
        outstanding.push(write_outstanding(&mut w, o));
    }
    let outstanding_list = w.pointers(&outstanding);
    let state = StateBuilder::start(&mut w);
    write_scalars(&mut w, &state, s);
    state.limits(&mut w, limits);
    state.queue(&mut w, queue, s.queue.len() as u32);
    state.contexts(&mut w, contexts_list, contexts.len() as u32);
    state.outstanding(&mut w, outstanding_list, outstanding.len() as u32);
    state.model(&mut w, &s.model);
    state.tools(&mut w, &s.tools);
    w.finish(state.0);
    seal(&w.buffer)
}

fn seal(body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + body.len());
    bytes.extend_from_slice(&ABI.to_le_bytes());
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    let sum = checksum(&bytes, body);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes.extend_from_slice(body);
    bytes
}

/// An upper bound for all but odd cases, so that a large state is not copied while it grows.
fn capacity(s: &Session) -> usize {
    let mut bytes = 512 + s.tools.len() + s.model.len() + s.queue.len() * 32;
    for c in &s.contexts {
        bytes += 256 + c.messages.len() * MESSAGE_BYTES + c.failures.len() * 16;
        for u in &c.unsent {
            bytes += 56 + u.body.len() + u.ids.len() * 8;
        }
    }
    for o in &s.outstanding {
        bytes += 64 + o.action.len();
    }
    bytes
}

#[inline(never)]
fn write_scalars(w: &mut Writer, state: &StateBuilder, s: &Session) {
    state.next_context(w, s.next_context);
    state.steps(w, s.steps);
    state.next_id(w, s.next_id);
    state.config_entry(w, s.config_entry);
    state.high(w, s.high);
    state.turn(w, s.turn);
    state.turn_tokens(w, s.turn_tokens);
    state.transcript_bytes(w, s.transcript_bytes);
    state.system_bytes(w, s.system_size);
    state.dirty(w, s.dirty);
    state.system_digest(w, s.system_digest);
}

#[inline(never)]
fn write_limits(w: &mut Writer, l: &crate::state::Limits) -> u32 {
    let limits = LimitsBuilder::start(w);
    limits.queued_turns(w, l.queued_turns);
    limits.steps_per_turn(w, l.steps_per_turn);
    limits.depth(w, l.depth);
    limits.agent_steps(w, l.agent_steps);
    limits.message_bytes(w, l.message_bytes);
    limits.context_tokens(w, l.context_tokens);
    limits.transcript_bytes(w, l.transcript_bytes);
    limits.turn_tokens(w, l.turn_tokens);
    limits.same_failures(w, l.same_failures);
    limits.calls_per_reply(w, l.calls_per_reply);
    limits.0
}

#[inline(never)]
fn write_queue(w: &mut Writer, queue: &[Queued]) -> u32 {
    if queue.is_empty() {
        return 0;
    }
    let list = w.align8();
    for q in queue {
        w.buffer.extend_from_slice(&q.turn.to_le_bytes());
        w.buffer.extend_from_slice(&q.entry.to_le_bytes());
        w.buffer.extend_from_slice(&q.digest.to_le_bytes());
        w.buffer.extend_from_slice(&q.size.to_le_bytes());
    }
    list
}

/// The messages lie in memory as they lie in the snapshot.
#[cfg(target_endian = "little")]
fn raw(messages: &[Message]) -> &[u8] {
    const _: () = assert!(core::mem::size_of::<Message>() == MESSAGE_BYTES);
    // Message is repr(C) without padding, so every byte of it is initialised.
    unsafe {
        core::slice::from_raw_parts(messages.as_ptr() as *const u8, messages.len() * MESSAGE_BYTES)
    }
}

#[cfg(target_endian = "little")]
fn from_raw(bytes: &[u8]) -> Vec<Message> {
    let count = bytes.len() / MESSAGE_BYTES;
    // Room for a few more, so that the next step need not move them.
    let mut messages: Vec<Message> = Vec::with_capacity(count + 8);
    // Every bit pattern is a Message, and there is room for `count` of them.
    unsafe {
        let to = messages.as_mut_ptr() as *mut u8;
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), to, count * MESSAGE_BYTES);
        messages.set_len(count);
    }
    messages
}

#[inline(never)]
fn write_context(w: &mut Writer, c: &Context) -> u32 {
    let messages = w.packed(raw(&c.messages));
    let mut unsent = Vec::with_capacity(c.unsent.len());
    for u in &c.unsent {
        let ids = w.numbers(&u.ids);
        let one = StateUnsentBuilder::start(w);
        one.entry(w, u.entry);
        one.ids(w, ids, u.ids.len() as u32);
        one.body(w, &u.body);
        unsent.push(one.0);
    }
    let unsent_list = w.pointers(&unsent);
    let failures = write_failures(w, &c.failures);
    let context = StateContextBuilder::start(w);
    write_context_scalars(w, &context, c);
    context.messages(w, messages, c.messages.len() as u32);
    context.unsent(w, unsent_list, unsent.len() as u32);
    context.failures(w, failures, c.failures.len() as u32);
    if let Some(tools) = &c.tools {
        context.tools(w, tools);
    }
    if let Some(replaced) = &c.replaced {
        context.replace_body(w, &replaced.body);
    }
    context.0
}

#[inline(never)]
fn write_context_scalars(w: &mut Writer, context: &StateContextBuilder, c: &Context) {
    context.id(w, c.id);
    context.parent(w, c.parent);
    context.call_id(w, c.call_id);
    context.depth(w, c.depth);
    context.steps(w, c.steps);
    context.sent(w, c.sent);
    context.prompt(w, c.prompt);
    context.size_bytes(w, c.size);
    context.span_from(w, c.span_from);
    context.span_count(w, c.span_count);
    context.stalled(w, c.stalled);
    context.overflows(w, c.overflows);
    context.retries(w, c.retries);
    context.system_changed(w, c.system_changed);
    context.restricted(w, c.tools.is_some());
    if let Some(replaced) = &c.replaced {
        context.replace_from(w, replaced.from);
        context.replace_count(w, replaced.count);
    }
}

fn write_failures(w: &mut Writer, failures: &[Failure]) -> u32 {
    if failures.is_empty() {
        return 0;
    }
    let list = w.align8();
    for f in failures {
        w.buffer.extend_from_slice(&f.signature.to_le_bytes());
        w.buffer.extend_from_slice(&f.count.to_le_bytes());
        w.buffer.extend_from_slice(&f.kind.to_le_bytes());
        w.buffer.push(f.told as u8);
    }
    list
}

#[inline(never)]
fn write_outstanding(w: &mut Writer, o: &Outstanding) -> u32 {
    let one = StateOutstandingBuilder::start(w);
    one.id(w, o.id);
    one.context(w, o.context);
    one.kind(w, o.kind);
    one.purpose(w, o.purpose);
    one.signature(w, o.signature);
    one.action(w, &o.action);
    one.0
}

#[inline(never)]
pub fn restore(bytes: &[u8]) -> Result<Session, Refusal> {
    if bytes.len() < HEAD || get_u32(bytes, 0) != ABI {
        return Err(&Why("a snapshot of another ABI"));
    }
    let format = get_u32(bytes, 4);
    if format == 0 || format > FORMAT {
        return Err(&Why("a snapshot of a newer format"));
    }
    let body = &bytes[HEAD..];
    if get_u64(bytes, 8) != body.len() as u64 || get_u64(bytes, 16) != checksum(bytes, body) {
        return Err(&Why("a damaged snapshot"));
    }
    let state = State(open(body, &STATE)?);
    let session = read(state)?;
    verify(&session)?;
    Ok(session)
}

#[inline(never)]
fn read(state: State) -> Result<Session, Refusal> {
    let tools = state.tools().to_vec();
    let mut contexts = Vec::with_capacity(state.contexts().count as usize);
    for i in 0..state.contexts().count {
        contexts.push(read_context(state.contexts_at(i)));
    }
    let mut outstanding = Vec::with_capacity(state.outstanding().count as usize + 2);
    for i in 0..state.outstanding().count {
        outstanding.push(read_outstanding(state.outstanding_at(i))?);
    }
    let mut queue = Vec::with_capacity(state.queue().count as usize);
    for i in 0..state.queue().count {
        let q = state.queue_at(i);
        queue.push(Queued {
            turn: q.turn(),
            entry: q.entry(),
            digest: q.digest(),
            size: q.size_bytes(),
        });
    }
    Ok(Session {
        limits: crate::state::Limits::of(state.limits()),
        model: state.model().to_vec(),
        block: Block::of(&tools),
        tools,
        config_entry: state.config_entry(),
        system_size: state.system_bytes(),
        system_digest: state.system_digest(),
        next_id: state.next_id(),
        next_context: state.next_context(),
        high: state.high(),
        turn: state.turn(),
        steps: state.steps(),
        turn_tokens: state.turn_tokens(),
        transcript_bytes: state.transcript_bytes(),
        dirty: state.dirty(),
        queue,
        contexts,
        outstanding,
        handing_out: None,
    })
}

#[inline(never)]
fn read_context(c: StateContext) -> Context {
    let mut unsent = Vec::with_capacity(c.unsent().count as usize + 2);
    for i in 0..c.unsent().count {
        let u = c.unsent_at(i);
        let mut ids = Vec::with_capacity(u.ids().count as usize);
        for j in 0..u.ids().count {
            ids.push(u.ids().u64(j));
        }
        unsent.push(Unsent { entry: u.entry(), body: u.body().to_vec(), ids });
    }
    let mut failures = Vec::with_capacity(c.failures().count as usize);
    for i in 0..c.failures().count {
        let f = c.failures_at(i);
        failures.push(Failure {
            signature: f.signature(),
            count: f.count(),
            kind: f.kind(),
            told: f.told(),
        });
    }
    let mut context = Context::new(c.id(), c.parent(), c.call_id(), c.depth());
    read_context_scalars(&mut context, c);
    context.messages = from_raw(c.messages().raw(StateMessage::SIZE));
    context.unsent = unsent;
    context.failures = failures;
    context
}

fn read_context_scalars(context: &mut Context, c: StateContext) {
    context.steps = c.steps();
    context.sent = c.sent();
    context.prompt = c.prompt();
    context.size = c.size_bytes();
    context.span_from = c.span_from();
    context.span_count = c.span_count();
    context.stalled = c.stalled();
    context.overflows = c.overflows();
    context.retries = c.retries();
    context.system_changed = c.system_changed();
    if c.restricted() {
        context.tools = Some(c.tools().to_vec());
    }
    if c.replace_count() > 0 {
        context.replaced = Some(Replaced {
            from: c.replace_from(),
            count: c.replace_count(),
            body: c.replace_body().to_vec(),
        });
    }
}

fn read_outstanding(o: StateOutstanding) -> Result<Outstanding, Refusal> {
    let action = o.action();
    if !action.is_empty() {
        let root = Action(open(action, &ACTION)?);
        if root.id() != o.id() {
            return Err(&Why("an action under another id"));
        }
    }
    Ok(Outstanding {
        id: o.id(),
        context: o.context(),
        kind: o.kind(),
        purpose: o.purpose(),
        signature: o.signature(),
        action: action.to_vec(),
    })
}

/// What the step relies on. A snapshot with a right checksum that says otherwise was forged.
#[inline(never)]
fn verify(s: &Session) -> Result<(), Refusal> {
    if s.next_id == 0 || s.next_id > MAX_NEXT_ID || s.turn > s.high || s.high > MAX_ID || s.next_context > i32::MAX as u32 {
        return Err(&Why("ids out of bounds"));
    }
    if s.contexts.is_empty() || s.contexts[0].id != 0 {
        return Err(&Why("no conversation"));
    }
    for (i, c) in s.contexts.iter().enumerate() {
        verify_context(c, s.system_size)?;
        if c.id >= s.next_context || (i > 0) != (c.id != 0) {
            return Err(&Why("a context out of bounds"));
        }
        let before = &s.contexts[..i];
        let has_parent = i == 0 || before.iter().any(|b| b.id == c.parent);
        if !has_parent || before.iter().any(|b| b.id == c.id) {
            return Err(&Why("a context out of place"));
        }
    }
    for o in &s.outstanding {
        if o.id >= s.next_id || !s.contexts.iter().any(|c| c.id == o.context) {
            return Err(&Why("an action out of place"));
        }
        if o.kind == 0 && o.action.is_empty() {
            return Err(&Why("an ask without its action"));
        }
    }
    if s.turn == 0 && (s.contexts.len() > 1 || !s.outstanding.is_empty() || !s.queue.is_empty()) {
        return Err(&Why("work outside a turn"));
    }
    Ok(())
}

fn verify_context(c: &Context, system_size: u32) -> Result<(), Refusal> {
    let count = c.messages.len() as u64;
    let size: u64 = c.messages.iter().map(|m| m.cost()).sum();
    let is_whole = count > 0
        && c.messages[0].role == role::SYSTEM
        && c.messages[0].size == system_size
        && c.size == size
        && (c.prompt as u64) < count
        && c.sent as u64 + c.unsent.len() as u64 == count
        && (c.span_count == 0 || c.span_from > 0)
        && c.span_from as u64 + c.span_count as u64 <= c.sent as u64;
    if is_whole {
        Ok(())
    } else {
        Err(&Why("a conversation that does not add up"))
    }
}

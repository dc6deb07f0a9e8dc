//! What the model answered: words, or calls.

use crate::call::{judge, refusal_signature, short, Verdict};
use crate::dev_zap::*;
use crate::output::{route, Out};
use crate::state::{find_tool, pack_tool, Context, Message, Outstanding, Session, ToolNames};
use crate::state::{MAX_OUTSTANDING_BYTES, MESSAGE_OVERHEAD};
use crate::turn::*;
use alloc::vec::Vec;

/// The journal entry that is being taken in.
#[derive(Clone, Copy)]
pub struct Entry {
    pub seq: u64,
    pub digest: u64,
    pub bytes: usize,
    pub is_too_long: bool,
}

impl Session {
    #[inline(never)]
    pub fn on_model(&mut self, reply: ModelReply, entry: &Entry, out: &mut Out) {
        let o = match self.take_ask(reply.id()) {
            Some(o) => o,
            None => return,
        };
        if let Some(usage) = reply.usage() {
            let used = usage.input_tokens().saturating_add(usage.output_tokens());
            self.turn_tokens = self.turn_tokens.saturating_add(used);
        }
        if entry.is_too_long {
            return self.end(outcome_kind::FAILED, &LIMIT_MESSAGE, out);
        }
        if o.purpose == purpose::COMPACT {
            return self.compacted(o.context, o.id, reply, out);
        }
        let c = self.context(o.context);
        c.stalled = 0;
        c.overflows = 0;
        c.retries = 0;
        if reply.calls().count == 0 {
            self.on_words(o.context, o.id, reply, entry, out);
        } else {
            self.on_calls(o.context, o.id, reply, entry, out);
        }
    }

    /// An ask of the model that is outstanding, taken out.
    fn take_ask(&mut self, id: u64) -> Option<Outstanding> {
        let i = self.find(id)?;
        if self.outstanding[i].kind != 0 {
            return None;
        }
        self.dirty = true;
        Some(self.outstanding.remove(i))
    }

    fn on_words(&mut self, context: u32, ask: u64, reply: ModelReply, entry: &Entry, out: &mut Out) {
        let text = reply.text();
        let said = Message {
            role: role::ASSISTANT,
            calls: 0,
            size: text.len() as u32,
            id: ask,
            digest: entry.digest,
        };
        if context != 0 {
            let words = if text.is_empty() {
                LastWords::Failed(b"the agent ended without a word".to_vec())
            } else {
                LastWords::Said { entry: entry.seq, size: said.size, digest: said.digest }
            };
            return self.answer_caller(context, words, out);
        }
        if !text.is_empty() {
            self.append(0, said, entry.seq, Vec::new());
            let id = self.mint();
            out.say(id, 0, text);
        }
        self.end(outcome_kind::COMPLETE, &NO_FAILURE, out);
    }

    fn on_calls(&mut self, context: u32, ask: u64, reply: ModelReply, entry: &Entry, out: &mut Out) {
        if !reply.text().is_empty() {
            let id = self.mint();
            out.say(id, context, reply.text());
        }
        if reply.calls().count > self.limits.calls_per_reply {
            return self.end(outcome_kind::FAILED, &LIMIT_CALLS, out);
        }
        let (verdicts, size) = match self.judge_all(context, reply, entry, out) {
            Some(judged) => judged,
            None => return,
        };
        let said = Message {
            role: role::ASSISTANT,
            calls: verdicts.len() as u16,
            size,
            id: ask,
            digest: entry.digest,
        };
        self.append(context, said, entry.seq, Vec::new());
        let place = self.context(context).unsent.len() - 1;
        self.handing_out = Some(context);
        let mut ids = Vec::with_capacity(verdicts.len());
        for (i, verdict) in verdicts.into_iter().enumerate() {
            let id = self.mint();
            ids.push(id);
            self.hand_out(context, id, reply.calls_at(i as u32), verdict, out);
        }
        self.handing_out = None;
        self.context(context).unsent[place].ids = ids;
        self.settle(context, false, out);
    }

    /// Judges every call before any goes out, so that a turn that ends here sends nothing.
    #[inline(never)]
    fn judge_all<'a>(
        &mut self,
        context: u32,
        reply: ModelReply<'a>,
        entry: &Entry,
        out: &mut Out,
    ) -> Option<(Vec<Verdict<'a>>, u32)> {
        let count = reply.calls().count;
        let kept = self.kept();
        let c = self.at(context);
        let mut verdicts = Vec::with_capacity(count as usize);
        let mut size = reply.text().len() as u64;
        let mut agents = 0;
        let mut exhausted = false;
        for i in 0..count {
            let call = reply.calls_at(i);
            size += call.size_bytes() as u64;
            if call.kind() == tool_kind::AGENT && self.contexts[c].depth >= self.limits.depth {
                self.end(outcome_kind::FAILED, &LIMIT_DEPTH, out);
                return None;
            }
            let tools = self.contexts[c].tools.as_ref().unwrap_or(&self.tools);
            let mut verdict = judge(call, tools);
            if let Verdict::Agent(agent) = &verdict {
                agents += 1;
                verdict = self.judge_agent(c, *agent, verdict);
            }
            // The ask of an agent names the tools once more.
            let asks = agents as usize * self.block.len();
            let is_too_much = kept + entry.bytes + asks > MAX_OUTSTANDING_BYTES;
            if is_too_much && !matches!(verdict, Verdict::Plan(_)) {
                verdict = Verdict::Refused(b"refused: too much is outstanding".to_vec());
            }
            if let Verdict::Refused(text) = &verdict {
                let signature = refusal_signature(call.kind(), text);
                let limit = self.limits.same_failures;
                exhausted |= self.contexts[c].fail(signature, call.kind(), limit);
            }
            verdicts.push(verdict);
        }
        if exhausted {
            self.fail(context, &LIMIT_FAILURES, out);
            return None;
        }
        if agents > 0 {
            if let Some(failed) = self.spent(agents) {
                self.end(outcome_kind::FAILED, &failed, out);
                return None;
            }
        }
        Some((verdicts, size.min(u32::MAX as u64) as u32))
    }

    /// An agent may be given only tools that its caller has, and a task that leaves it room.
    fn judge_agent<'a>(&self, c: usize, agent: Agent<'a>, ok: Verdict<'a>) -> Verdict<'a> {
        let tools = self.contexts[c].tools.as_ref().unwrap_or(&self.tools);
        for i in 0..agent.tools().count {
            let name = agent.tools_at(i).value();
            if find_tool(tools, name) == 0 {
                let text: &[&[u8]] = &[b"refused: there is no tool ", short(name), b" to give away"];
                return Verdict::Refused(crate::call::join(text));
            }
        }
        let task = agent.task().len() as u64;
        let tokens = (self.system_size as u64 + task + 2 * MESSAGE_OVERHEAD) / 4;
        if tokens > self.limits.context_tokens as u64 {
            return Verdict::Refused(b"refused: the task is too long for an agent".to_vec());
        }
        ok
    }

    #[inline(never)]
    fn hand_out(&mut self, context: u32, id: u64, call: Call, verdict: Verdict, out: &mut Out) {
        match verdict {
            Verdict::Refused(text) => self.append_own(context, role::TOOL, id, text),
            Verdict::Plan(plan) => {
                out.plan(id, context, plan);
                self.append_own(context, role::TOOL, id, b"the plan is noted".to_vec());
            }
            Verdict::Agent(agent) => self.start_agent(context, id, agent, out),
            Verdict::Out(args) => {
                if let Some(route) = route(call.kind()) {
                    let (signature, action) = out.call(id, route, args);
                    self.outstanding.push(Outstanding {
                        id,
                        context,
                        kind: call.kind(),
                        purpose: 0,
                        signature,
                        action,
                    });
                }
            }
        }
    }

    #[inline(never)]
    fn start_agent(&mut self, parent: u32, call_id: u64, agent: Agent, out: &mut Out) {
        let task = agent.task();
        self.outstanding.push(Outstanding {
            id: call_id,
            context: parent,
            kind: tool_kind::AGENT,
            purpose: 0,
            signature: crate::hash::hash(tool_kind::AGENT as u64, task),
            action: Vec::new(),
        });
        let id = self.next_context;
        self.next_context += 1;
        let depth = self.context(parent).depth + 1;
        let mut context = Context::new(id, parent, call_id, depth);
        context.tools = self.tools_of_agent(parent, depth, agent);
        context.prompt = 1;
        self.new_context(context);
        self.append_own(id, role::USER, 0, task.to_vec());
        self.emit_ask(id, purpose::AGENT, out);
    }

    /// The tools of a nested agent; None when they are the Config's. At the last depth there is no
    /// tool to call another agent.
    fn tools_of_agent(&self, parent: u32, depth: u32, agent: Agent) -> Option<Vec<u8>> {
        let own = &self.contexts[self.at(parent)].tools;
        let is_last = depth >= self.limits.depth;
        if own.is_none() && agent.tools().count == 0 && !is_last {
            return None;
        }
        let mut tools = Vec::new();
        for (kind, name) in ToolNames(own.as_ref().unwrap_or(&self.tools)) {
            let is_given = agent.tools().count == 0
                || (0..agent.tools().count).any(|i| agent.tools_at(i).value() == name);
            if is_given && !(is_last && kind == tool_kind::AGENT) {
                pack_tool(&mut tools, kind, name);
            }
        }
        Some(tools)
    }

    #[inline(never)]
    pub fn on_model_failed(&mut self, failed: ModelFailed, out: &mut Out) {
        let o = match self.take_ask(failed.id()) {
            Some(o) => o,
            None => return,
        };
        let c = self.context(o.context);
        let is_compact = o.purpose == purpose::COMPACT;
        match failed.code() {
            failure_code::CONTEXT_OVERFLOW => {
                if is_compact {
                    return self.compact_again(o.context, failed.code(), out);
                }
                c.overflows += 1;
                if c.overflows > 1 {
                    return self.fail(o.context, &CONTEXT_OVERFLOW, out);
                }
                let target = c.size / 2;
                self.compact(o.context, target, out)
            }
            failure_code::MALFORMED if c.retries == 0 => {
                c.retries = 1;
                if is_compact {
                    self.compact_again(o.context, failed.code(), out)
                } else {
                    self.ask(o.context, out)
                }
            }
            code => {
                let text = crate::call::join(&[failure_word(code), b": ", short(failed.message())]);
                self.fail(o.context, &Failed { code: b"model_failed", message: &text }, out)
            }
        }
    }
}

fn failure_word(code: u16) -> &'static [u8] {
    match code {
        failure_code::MALFORMED => b"malformed",
        failure_code::UNAVAILABLE => b"unavailable",
        failure_code::REFUSED => b"refused",
        failure_code::KEY_MISSING => b"key_missing",
        failure_code::TIMED_OUT => b"timed_out",
        _ => b"context_overflow",
    }
}

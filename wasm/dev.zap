# The one schema of hanzo dev: what the core and its host say to each other, and (second half) what
# the host says to a cell and to the supervisor of cells. Compiled to Java, Rust and C.
#
# Conventions of dialect `shape`: a sum type is {kind @0 (0 invalid), has @4, one nested struct per
# case}. `has` bits say which optional fields are present and are named in comments as has.N (bit N).
# An enum is a u16. A list of text is list<Text>. 0 of an enum is always invalid.
package dev
dialect shape

struct Text {
  value text @0
}

# Bytes kept in the content-addressed store instead of in a message (over 96 KiB).
struct Blob {
  digest bytes_fixed[32] @0      # SHA-256
  sizeBytes u64 @32
  mediaType text @40
  name text @48
}

# ---------------------------------------------------------------------------------------------
# Config: the session's first journal entry and all that the core is told of its surroundings.

struct Config {
  formatVersion u32 @0           # 1
  prelude text @4                # standing instructions; message 0 of every context
  instructions text @12           # AGENTS.md of the workspace, verbatim; survives compaction
  model text @20                  # "" = the host's choice
  tools list<Tool> @28
  limits Limits @36
}

struct Tool {
  kind ToolKind @0
  name text @4
  description text @12
  schema text @20                 # JSON Schema of the arguments
}

enum ToolKind {
  read = 1
  write = 2
  patch = 3
  exec = 4
  git = 5
  browse = 6
  ask = 7
  agent = 8
  plan = 9
  list = 10
  search = 11
  stat = 12
  send = 13
  invalid = 14                # a call that the host could not read: Call.invalid says why
}

# 0 in any field means the core's default, given in the comment.
struct Limits {
  queuedTurns u32 @0             # 16
  stepsPerTurn u32 @4            # 200 asks of the model, nested agents included
  depth u32 @8                   # 3 nested agents
  agentSteps u32 @12              # 50 asks of one nested agent
  messageBytes u32 @16            # 8388608: one event
  contextTokens u32 @20           # 100000: above it the core compacts
  transcriptBytes u64 @24         # 268435456: all that was ever appended in a session
  turnTokens u64 @32              # 4000000: input + output of one turn
  sameFailures u32 @40            # 3: the same failing call; told, then the turn fails
  callsPerReply u32 @44           # 64
}

# ---------------------------------------------------------------------------------------------
# Events: host -> core. The root of dev_step's input.

enum EventKind {
  turn = 1
  model = 2
  modelFailed = 3
  exec = 4                    # result
  file = 5                    # result; family of read, write, patch, list, search, stat
  git = 6                     # result
  browse = 7                  # result; family of browse and send
  answer = 8
  timer = 9
  cancel = 10
  resume = 11
  configure = 12              # a changed Config
}

struct Event {
  kind EventKind @0
  has u32 @4
  entry u64 @8                   # sequence of the journal entry that brings it; >= 1
  turn Turn @16
  model ModelReply @20
  modelFailed ModelFailed @24
  result Result @28               # kinds exec, file, git, browse
  answer Answer @32
  cancel Cancel @36
  resume Resume @40
  configure Config @44
}

struct Turn {
  id u64 @0                      # >= 1 and rising within a session
  prompt text @8
  attachments list<Blob> @16
}

struct ModelReply {
  id u64 @0                      # of the ask
  has u32 @8                     # has.0 text
  text text @12
  calls list<Call> @20
  usage Usage @28
}

struct Usage {
  inputTokens u64 @0
  outputTokens u64 @8
}

# A call as the host read it from the model's reply: arguments are typed by the host (it checks them
# against the tool's JSON Schema); the one struct that belongs to `kind` is set.
struct Call {
  kind ToolKind @0
  has u32 @4
  callId text @8                 # the provider's own id
  tool text @16                   # the name as the model wrote it
  sizeBytes u32 @24               # of the arguments as the model wrote them: for the token estimate
  read Read @28
  write Write @32
  patch Patch @36
  exec Exec @40
  git Git @44
  browse Browse @48
  ask Ask @52
  agent Agent @56
  plan Plan @60
  list List @64
  search Search @68
  stat Stat @72
  send Send @76
  invalid Invalid @80
}

struct Agent {
  task text @0
  tools list<Text> @8            # empty = all that the parent has
}

struct Plan {
  items list<PlanItem> @0
}

struct PlanItem {
  text text @0
  status PlanStatus @8
}

enum PlanStatus {
  pending = 1
  active = 2
  done = 3
}

struct Invalid {
  message text @0
}

struct ModelFailed {
  id u64 @0
  code FailureCode @8
  message text @12
}

enum FailureCode {
  contextOverflow = 1         # the core compacts once, then asks again
  malformed = 2               # a reply that cannot be read: asked once more
  unavailable = 3             # transport, 5xx, 429, after the host's retries
  refused = 4                 # 4xx, content filter
  keyMissing = 5
  timedOut = 6
}

struct Result {
  id u64 @0                      # of the action
  status ResultStatus @8
  has u32 @12                     # has.0 exit
  exit i32 @16
  stdout bytes @20                # also the bytes of a read, the lines of a list or a search
  stderr bytes @28
  stdoutBytes u64 @40             # true count, before any cut
  stderrBytes u64 @48
  truncated bool @56
  artifacts list<Blob> @60        # the whole of what was cut
  message text @68                # for the model: what happened when status is not ok
}

enum ResultStatus {
  ok = 1
  failed = 2
  denied = 3
  inDoubt = 4
  cancelled = 5
}

struct Answer {
  id u64 @0                      # of the ask
  text text @8
}

struct Cancel {
  turn u64 @0
}

struct Resume {
  highestAction u64 @0           # the highest action id that the ledger knows
}

# ---------------------------------------------------------------------------------------------
# Payloads of journal entries that the host eats itself; the core never sees them.

# A request for approval was resolved (entries of kind approval).
struct Resolution {
  approval text @0            # apr_...
  action u64 @8
  approved bool @16
  by text @20
  note text @28
}

# A fact of the host (entries of kind note).
struct Note {
  topic text @0               # checkpoint, undo, stop, lease, core, ...
  text text @8                # a sentence for people
  facts list<EnvVar> @16      # for programs, by name
}

# ---------------------------------------------------------------------------------------------
# Actions: core -> host. The root of dev_step's output is Actions.

struct Actions {
  items list<Action> @0
}

enum ActionKind {
  model = 1
  read = 2
  write = 3
  patch = 4
  exec = 5
  git = 6
  browse = 7
  ask = 8
  send = 9
  emit = 10
  save = 11
  done = 12
  list = 13
  search = 14
  stat = 15
}

struct Action {
  kind ActionKind @0
  has u32 @4
  id u64 @8                      # 1 .. 2^63-1
  model ModelAsk @16
  read Read @20
  write Write @24
  patch Patch @28
  exec Exec @32
  git Git @36
  browse Browse @40
  ask Ask @44
  send Send @48
  emit Emit @52
  done Done @56
  list List @60
  search Search @64
  stat Stat @68
}

enum Purpose {
  turn = 1
  compact = 2                 # the reply's text replaces the span named in ModelAsk.from/count
  agent = 3
}

# An ask carries edits, never the conversation: the host keeps one transcript per context, applies
# the edits in order, and builds the provider's request from it.
struct ModelAsk {
  context u32 @0                 # 0 the session's own conversation; n >= 1 a nested agent
  parent u32 @4                  # of a nested agent: the context that called it
  purpose Purpose @8
  model text @12                  # "" = the session's
  edits list<Edit> @20
  tools list<Text> @28            # names out of Config.tools, in order; none for compact
  from u32 @36                    # compact: the messages to be summarised
  count u32 @40
}

enum EditKind {
  append = 1
  replace = 2                 # messages [from, from+count) become this one
}

enum Role {
  system = 1
  user = 2
  assistant = 3
  tool = 4
}

# The text of a message is in the journal entry `entry` (the Config's prelude and instructions for
# system; a Turn; a ModelReply; for tool a Result or an Answer, or the ModelReply that was a nested
# agent's last words), or in `body` when the core itself wrote it.
struct Edit {
  kind EditKind @0
  role Role @2
  entry u64 @8                   # 0: the text is in body
  body text @16
  id u64 @24                      # tool: the id of the call that it answers; assistant: of the ask
  ids list<u64> @32               # assistant: the ids given to its calls, in call order
  from u32 @40
  count u32 @44
}

struct Read {
  path text @0
  offset u64 @8
  length u64 @16                  # 0 = to the end
}

struct Write {
  path text @0
  data bytes @8
  blob Blob @16                   # instead of data
  has u32 @20                     # has.0 mode, has.1 expected
  mode u32 @24
  expected bytes_fixed[32] @28    # SHA-256 of what is replaced
}

struct Patch {
  patch text @0
  blob Blob @8                   # instead of patch
}

struct Exec {
  argv list<Text> @0
  cwd text @8                    # "" = the workspace
  stdin bytes @16
  stdinBlob Blob @24
  env list<EnvVar> @28
  timeoutMillis u32 @36           # 0 = 120000; at most 3600000
  pty bool @40
}

struct EnvVar {
  name text @0
  value text @8
}

struct Git {
  argv list<Text> @0             # without the word git
  cwd text @8
}

struct Browse {
  method text @0                 # "" = GET
  url text @8
  headers list<EnvVar> @16
  body bytes @24
  bodyBlob Blob @32
  idempotencyKey text @36
}

struct Ask {
  question text @0
  choices list<Text> @8
  schema text @16                 # JSON Schema of the answer, or ""
}

struct Send {
  channel text @0
  reference text @8
  text text @16
}

enum EmitKind {
  say = 1
  think = 2
  plan = 3                    # items instead of text
  progress = 4
}

struct Emit {
  kind EmitKind @0
  context u32 @4
  text text @8
  items list<PlanItem> @16
}

enum OutcomeKind {
  complete = 1
  cancelled = 2
  failed = 3
}

struct Done {
  turn u64 @0
  outcome OutcomeKind @8
  code text @12                   # failed: limit_steps, limit_tokens, context_overflow, model_failed, …
  message text @20
}

struct List {
  path text @0                   # "" = the workspace
  offset u32 @8
  limit u32 @12                   # 0 = 1000
}

struct Search {
  pattern text @0                # POSIX extended regular expression
  path text @8
  glob text @16
  limit u32 @24                   # matching lines; 0 = 200
}

struct Stat {
  path text @0
}

# ---------------------------------------------------------------------------------------------
# The state of a session: the body of a snapshot. Read and written by the core alone. A message of a
# transcript is here by its size and digest; its text is in the journal.

struct State {
  nextContext u32 @0
  steps u32 @4                   # asks of the turn in flight
  nextId u64 @8
  configEntry u64 @16
  high u64 @24                   # the highest turn accepted
  turn u64 @32                   # in flight; 0 = idle
  turnTokens u64 @40
  transcriptBytes u64 @48
  systemBytes u32 @56            # prelude, instructions and tools: for the token estimate
  dirty bool @60                 # the state has changed since the last Save
  systemDigest u64 @64
  model text @72
  tools bytes @80                 # {kind u16, length u16, name}*
  limits Limits @88
  queue list<StateQueued> @92
  contexts list<StateContext> @100
  outstanding list<StateOutstanding> @108
}

struct StateQueued {
  turn u64 @0
  entry u64 @8
  digest u64 @16
  sizeBytes u32 @24
}

struct StateContext {
  id u32 @0
  parent u32 @4
  callId u64 @8                  # the parent's call that this agent answers
  depth u32 @16
  steps u32 @20
  sent u32 @24                   # messages that the host has
  prompt u32 @28                 # index of the prompt that is being worked on
  sizeBytes u64 @32
  spanFrom u32 @40               # of the compaction that is asked for
  spanCount u32 @44
  stalled u32 @48                # compactions in a row that gained nothing
  overflows u32 @52              # asks in a row that the provider found too long
  retries u32 @56                # replies in a row that could not be read
  systemChanged bool @60
  restricted bool @61            # tools holds less than the Config's
  tools bytes @64
  messages list<StateMessage> @72
  unsent list<StateUnsent> @80    # of messages[sent..], one each
  failures list<StateFailure> @88
  replaceFrom u32 @96            # a summary that the host has not been told of
  replaceCount u32 @100
  replaceBody text @104
}

struct StateMessage {
  role Role @0
  calls u16 @2
  sizeBytes u32 @4
  id u64 @8
  digest u64 @16
}

struct StateUnsent {
  entry u64 @0
  body text @8
  ids list<u64> @16
}

struct StateFailure {
  signature u64 @0               # of the call
  count u32 @8
  kind ToolKind @12
  told bool @14
}

struct StateOutstanding {
  id u64 @0
  context u32 @8
  kind u16 @12                   # ToolKind of the call; 0 for an ask of the model
  purpose u16 @14                 # of an ask of the model
  signature u64 @16
  action bytes @24                # the message of the Action; none for a nested agent
}

# =============================================================================================
# Host <-> cell. One message per SOCK_SEQPACKET packet, at most 131072 bytes, over the pair whose
# cell end is descriptor 3 of the daemon. The host sends CellRequest, the daemon sends CellReply.
#
# After every adoption (the first included) the daemon sends one CellReply of its own accord:
# kind result, request 0, result.hello. A hand-over counts once the host has read it.
#
# Exactly one answer (refused, outcome or result) is sent for each request, carrying its `request`
# number; answers come in any order. Numbers are the host's own, >= 1, unique among the unanswered
# of this connection. When an effect ends whose request came over a former connection, its outcome
# is sent over the present one with request 0; find it by `action`.
#
# Digest of a request: SHA-256 of the whole message as sent, with the 56 bytes [root+16, root+72)
# replaced by zeros (request, epoch, lowWater, digest), root being the header's root offset. It must
# be given for effects (exec, spawn, write, apply, remove, rename, mkdir) and may be all zero for
# every other op. The builder must therefore be deterministic: a request that is sent again must be
# built the same way from the same values.
#
# Effects are keyed by (action, digest):
#   unknown id                      runs
#   running, same digest            refused running (its outcome comes when it ends)
#   held, same digest               the held outcome again; nothing runs
#   running or held, other digest   refused idReuse
#   acknowledged, or <= the mark    refused idSpent
# A refusal leaves the id free: nothing happened. An outcome is recorded before it is sent, held
# until acknowledged, and appended to the journal (descriptor 5) as u32 little-endian length +
# CellReply of kind outcome with request 0. Reads are never recorded and always run again.

enum CellOp {
  exec = 1                    # effect
  spawn = 2                   # effect; a process on a pty, or on pipes
  input = 3                   # bytes for a spawned process
  resize = 4
  kill = 5
  read = 6
  write = 7                   # effect
  stat = 8
  list = 9
  watch = 10
  hello = 13
  stage = 14
  apply = 15                  # effect
  output = 16
  remove = 17                 # effect
  rename = 18                 # effect
  mkdir = 19                  # effect
  status = 20
  ack = 21
  cancel = 22
  search = 23
  credit = 24
}

# `action` is the id of the effect itself; for stage, output, status, ack, cancel, input, resize,
# kill and credit it is the id of the action they are about, kill and credit also take a watch's
# handle; for reads it is not looked at.
struct CellRequest {
  kind CellOp @0
  has u32 @4
  action u64 @8                  # 1 .. 2^63-1
  request u64 @16                 # correlates the answer on this connection
  epoch u64 @24                   # of the lease; another than the daemon's: refused staleEpoch
  lowWater u64 @32                # lowest outstanding action id - 1; the mark only ever rises
  digest bytes_fixed[32] @40      # as said above
  hello CellHello @72
  exec CellExec @76
  read CellRead @80
  write CellWrite @84
  stat CellStat @88
  list CellList @92
  stage CellStage @96
  apply CellApply @100
  remove CellRemove @104
  rename CellRename @108
  mkdir CellMkdir @112
  output CellOutput @116
  ack CellAck @120
  spawn CellSpawn @124
  input CellInput @128
  resize CellResize @132
  kill CellKill @136
  credit CellCredit @140
  watch CellWatch @144
  search CellSearch @148
  # status and cancel have no arguments but `action`
}

struct CellHello {
  protocol u32 @0                # 1; another is refused with version
}

# Paths of all requests: relative to the workspace, resolved by openat2 beneath it on the string as
# sent; "" or "." is the workspace itself. An absolute path is refused with outside (the host takes
# the workspace's own path off first), as is whatever leads out by .. or by a link, and every
# absolute link. Not in UTF-8: malformed; over 4095 bytes or with a NUL: invalid. Symbolic links that
# stay beneath are followed, by reads and by writes.

# argv or command, never both, never neither. The environment is the preset (PATH, LANG, TERM, HOME,
# TMPDIR, WORKSPACE, GIT_TERMINAL_PROMPT, PAGER, GIT_PAGER, GIT_EDITOR), then the cell's (spawn
# spec), then `env`, each overriding the one before.
struct CellExec {
  argv list<Text> @0             # argv[0] is looked up in PATH; no shell
  command text @8                # run by /bin/sh -c
  cwd text @16                    # "" = the workspace
  env list<EnvVar> @24
  stdin bytes @32                 # none = /dev/null
  staged CellStaged @40           # stdin out of the stage instead
  timeoutMillis u32 @44           # 0 = 120000; over 3600000: refused invalid
  keepRunning bool @48            # let what it leaves running live (else it is killed)
}

# An exec that a host talks to while it runs; its outcome is that of an exec, with op spawn. On a pty
# both streams are one, stdout, and TERM is xterm-256color. Without a pty standard input is a pipe,
# which begins with exec.stdin and is closed by input.close.
struct CellSpawn {
  exec CellExec @0               # timeoutMillis 0 = no deadline; staged input: refused invalid
  pty bool @4
  cols u16 @6                     # pty: 0 = 80
  rows u16 @8                     # pty: 0 = 24
  creditBytes u32 @12             # of each stream that may be pushed at once; see CellCredit
}

# To the spawn of the request's action. `offset` counts all input ever sent to it: bytes below what
# is accepted already are taken as a repeat, a gap is refused invalid. The answer tells how much is
# accepted now; the rest is to be sent again when the program has read.
struct CellInput {
  offset u64 @0
  data bytes @8                   # at most 98304 bytes
  close bool @16                  # end of file after it; on a pty: control-D
}

struct CellResize {
  cols u16 @0                    # 0: refused invalid
  rows u16 @2
}

# To the process group of the action's program (exec or spawn). `cancel` ends all of it instead. A
# watch is closed, whatever the signal.
struct CellKill {
  signal u32 @0                  # 0 = 9
}

# What a running exec or spawn prints is pushed while its stream has credit, in order and without
# gaps from `since` on; a push uses up credit by its bytes. Credit belongs to a connection: after a
# hand-over there is none. Beyond keptBytes only the last 24 KiB can be told, so an offset may leap.
# What a spawn prints waits for its listener, as at a terminal, while there is one: bytes = 0 says
# that there is none any more. Of a watch one more push may come, whatever the number of bytes.
struct CellCredit {
  stream CellStreamName @0       # not looked at for a watch
  has u32 @4                     # has.0 since
  bytes u32 @8                    # more of it; at most 16777216 in all
  since u64 @12                   # it begins there, with no credit but this; without: go on
}

# Bytes collected by stage before: named by what they are, so staging twice is harmless.
struct CellStaged {
  digest bytes_fixed[32] @0      # SHA-256 of the whole
  sizeBytes u64 @32
}

# Collects bytes for the write, apply or exec that will come under `action`; not an effect. Chunks
# come in order: `offset` must equal what is collected so far; a chunk wholly below that is taken as
# a repeat. When the last byte has come, the digest is checked: on a mismatch all is dropped and the
# answer is refused digestMismatch. At most 64 MiB staged in a cell. Freed when the action ends or
# falls to the mark, and with the incarnation. Bytes that are staged already are answered complete.
struct CellStage {
  content CellStaged @0
  offset u64 @8
  data bytes @16                  # at most 98304 bytes
}

struct CellRead {
  path text @0
  offset u64 @8                  # past the end: refused pastEnd; at the end: empty
  length u32 @16                  # 0 = to the end; over 98304 bytes to send: refused tooLarge
  wholeDigest bool @20            # also the SHA-256 of the whole file (to 64 MiB, else tooLarge)
}

# data or staged. Written beside the target, mode set, synced, renamed over it.
struct CellWrite {
  path text @0
  has u32 @8                     # has.0 mode, has.1 expected
  mode u32 @12                    # without has.0: kept, or 0644 for a new file
  data bytes @16
  staged CellStaged @24
  parents bool @28                # make missing directories (0755)
  expected bytes_fixed[32] @32    # SHA-256 of what is replaced; all zero: nothing may be there
}

struct CellStat {
  path text @0
  link bool @8                   # the link itself instead of its target
}

struct CellList {
  path text @0
  offset u32 @8                  # index into the names, sorted by their bytes
  limit u32 @12                   # 0 = as many as fit into a reply
}

enum CellChangeKind {
  write = 1
  remove = 2
  rename = 3
  mkdir = 4
}

# All or nothing: every path and expected hash is checked and every byte staged beside its target
# before the first rename; a rename that fails puts the earlier ones back. One path twice: invalid.
struct CellApply {
  changes list<CellChange> @0    # 1 .. 1024
}

struct CellChange {
  kind CellChangeKind @0
  has u32 @4                     # has.0 mode, has.1 expected (write, remove, rename: of `path`)
  path text @8
  target text @16                 # rename: the new path; must not be there
  mode u32 @24
  data bytes @28                  # write: these bytes, or staged
  staged CellStaged @36
  parents bool @40
  expected bytes_fixed[32] @44    # as in CellWrite
}

# A file, a symbolic link (the link itself) or an empty directory.
struct CellRemove {
  path text @0
  has u32 @8                     # has.0 expected
  recursive bool @12              # a directory with all in it
  expected bytes_fixed[32] @16    # SHA-256 of the file
}

struct CellRename {
  path text @0
  target text @8
  has u32 @16                     # has.0 expected
  replace bool @20                # else refused exists when target is there
  expected bytes_fixed[32] @24    # SHA-256 of the file at path
}

struct CellMkdir {
  path text @0
  has u32 @8                     # has.0 mode
  mode u32 @12                    # without: 0755
  parents bool @16                # make missing ones above; then one that is there is no fault
}

# Tells of changes of a directory's entries, or of the one entry that a file's name is; what lies
# deeper is not told of. The answer names the handle (2^63 and more, so that it is no action's id)
# and one push may come then; each further one needs a credit. What happens meanwhile is put
# together, one entry for each name; if that is more than 256 names the push says rescan instead.
# A watch ends with its connection: after a hand-over begin it again and look at the directory.
struct CellWatch {
  path text @0
}

# Looks for lines of regular files, or with no pattern for files, in the order of their names' bytes.
# Directories named .git are passed over, links are not followed; files with a NUL in their first
# 32 KiB are taken for binary and passed over, as are those above 64 MiB, what cannot be opened and
# what lies over 128 directories deep. Four run at once, further ones wait.
struct CellSearch {
  path text @0                   # a file, or a directory with all beneath it
  pattern text @8                 # POSIX extended regular expression, at most 4096 bytes; "" = names alone
  glob text @16                   # of a file's name or, with a '/', of its path below `path`; "" = all.
                                 # * and ? stop at a '/', ** does not; [...]; {a,b}
  limit u32 @24                   # matches; 0 = 200, at most 2000
  timeoutMillis u32 @28           # 0 = 30000; over 120000: refused invalid
  literal bool @32               # the pattern is a text, no expression
  ignoreCase bool @33
}

enum CellStreamName {
  stdout = 1
  stderr = 2
}

# Pulls what an exec printed, while it runs and until it is acknowledged.
struct CellOutput {
  stream CellStreamName @0
  offset u64 @8
  length u32 @16                  # 0 or over 98304 = 98304
}

# Frees held outcomes, those of `actions` and of the request's own `action`. Ids not held are passed
# over in silence. Only after the outcome is committed.
struct CellAck {
  actions list<u64> @0
}

enum CellReplyKind {
  refused = 1                 # nothing happened
  outcome = 2                 # an effect ran; recorded
  result = 3                  # of everything else
  push = 4                    # unasked: stream data, watch events
}

struct CellReply {
  kind CellReplyKind @0
  op CellOp @2
  has u32 @4
  request u64 @8                 # 0: unasked
  action u64 @16
  refused CellRefused @24
  outcome CellOutcome @28
  hello CellHelloResult @32
  read CellReadResult @36
  stat CellEntry @40
  list CellListResult @44
  stage CellStageResult @48
  output CellOutputResult @52
  status CellStatusResult @56
  push CellPush @60
  input CellInputResult @64
  watch CellWatchResult @68
  changes CellChanges @72         # a push of a watch
  search CellSearchResult @76
  # ack, cancel, resize, kill and credit answer kind result with none of these
}

enum CellRefusal {
  malformed = 1               # does not decode; `request` is recovered where possible, else 0
  unknownOp = 2
  tooLarge = 3                # the message names the size
  busy = 4                    # 64 requests running, or the journal is full until acks come
  staleEpoch = 5
  digestMismatch = 6          # the digest is not that of the bytes
  idReuse = 7                 # this action id was used with another request
  idSpent = 8                 # acknowledged, or at or below the mark
  running = 9                 # this very action is running
  invalid = 10                # an argument out of its range
  outside = 11                # the path leads out of the workspace
  notFound = 12
  notRegular = 13             # a directory, FIFO, socket or device where a file is needed
  notDirectory = 14
  exists = 15
  notEmpty = 16
  conflict = 17               # the content is not what `expected` says
  pastEnd = 18
  denied = 19                 # by permissions, read-only mount or Landlock
  protected = 20              # .git/hooks, .git/config: never writable from the cell
  noSpace = 21                # disk, quota or file size limit
  notStaged = 22
  notHeld = 23                # no such output, or no longer
  notExecutable = 24          # no such program, or no permission to run it
  resources = 25              # no process or descriptor to be had
  io = 26                     # another error of the kernel, named in the message
  version = 27
  notRunning = 28             # cancel, kill, credit: nothing of this id is running
}

# Under the action that prints; all that may be pushed comes before its outcome.
struct CellPush {
  stream CellStreamName @0
  offset u64 @8
  data bytes @16
}

struct CellWatchResult {
  handle u64 @0                  # `action` of its pushes, and of kill and credit about it
  path bytes @8                   # with all links resolved, relative to the workspace; "." = itself
  directory bool @16
}

# Under the handle of the watch.
struct CellChanges {
  sequence u64 @0                # of this watch's pushes: 1, 2, …
  entries list<CellChanged> @8    # at most 256
  rescan bool @16                 # there was more than can be told: look at the directory again
  ended bool @17                  # the directory is gone or has another name; the handle is closed
}

struct CellChanged {
  name bytes @0                  # of the entry, as it is on disk
  created bool @8                 # or moved here
  written bool @9
  attributes bool @10             # mode, owner, times, links
  removed bool @11                # or moved away; with created: look what is there
}

struct CellSearchResult {
  matches list<CellMatch> @0
  ending CellSearchEnding @8
  files u32 @12                   # looked through
  binary u32 @16                  # passed over
  unread u32 @20                  # too large, too deep, or not to be opened
}

enum CellSearchEnding {
  whole = 1                   # all was looked at
  limit = 2                   # there are more matches than asked for
  bytes = 3                   # there are more than fit into a reply
  timedOut = 4                # what was found until then
}

struct CellMatch {
  path bytes @0                  # as asked, and below it as it is on disk
  line u32 @8                     # from 1; 0: the file itself
  text bytes @12                  # of the line, at most 512 bytes, without its end
  cut bool @20                    # the line is longer
}

struct CellInputResult {
  acceptedBytes u64 @0           # of all input so far
}

struct CellRefused {
  code CellRefusal @0
  message text @4                # one sentence
}

enum CellLevel {
  none = 1                    # nothing: never granted
  landlock = 2                # Landlock + seccomp, no namespaces
  namespaces = 3              # all
}

struct CellHelloResult {
  protocol u32 @0                # 1
  level CellLevel @4
  landlockAbi u16 @6
  epoch u64 @8
  incarnation bytes_fixed[16] @16 # random at start: another one = the cell was restarted
  lowWater u64 @32
  windowRequests u32 @40          # 64
  frameBytes u32 @44              # 131072
  chunkBytes u32 @48              # 98304: one read, stage or output
  keptBytes u64 @56               # 67108864: of one output stream, and of the stage
  workspace text @64              # paths as a command sees them
  home text @72
  tmp text @80
  layers list<Text> @88           # what is enforced, by the names that selftest prints
  running list<u64> @96           # action ids
  held list<u64> @104
}

struct CellReadResult {
  data bytes @0
  sizeBytes u64 @8               # of the whole file
  mtimeNanos i64 @16
  mode u32 @24                    # permission bits only, 07777
  digest bytes_fixed[32] @28      # of the whole, when asked for
}

enum CellFileKind {
  file = 1
  directory = 2
  link = 3
  other = 4
}

struct CellEntry {
  kind CellFileKind @0
  mode u32 @4                    # permission bits only, 07777
  sizeBytes u64 @8
  mtimeNanos i64 @16
  name bytes @24                  # as it is on disk, perhaps no UTF-8; none in a stat
}

struct CellListResult {
  entries list<CellEntry> @0     # links are not followed
  total u32 @8                   # of the whole directory
}

struct CellStageResult {
  collectedBytes u64 @0
  complete bool @8
}

struct CellOutputResult {
  data bytes @0                  # empty: nothing (more) at that offset yet
  totalBytes u64 @8              # printed so far
  keptBytes u64 @16               # of them, those that can be pulled: [0, keptBytes)
  ended bool @24                  # nothing more will come
}

enum CellState {
  unknown = 1                 # of this incarnation: never ran, and will not unless it is sent again
  running = 2
  held = 3                    # CellReply.outcome carries it
  spent = 4                   # acknowledged, or at or below the mark
}

struct CellStatusResult {
  state CellState @0
  digest bytes_fixed[32] @4       # of its request, when running or held
}

# What an effect did. `failure` set: it began but did not end as asked (message says what is
# changed); otherwise it did all of it. An exec that ended by any means has no failure.
struct CellOutcome {
  op CellOp @0
  failure CellRefusal @2         # 0 = none
  has u32 @4                     # has.0 file
  digest bytes_fixed[32] @8       # of the request
  message text @40
  exec CellExecOutcome @48
  files list<CellFileOutcome> @52 # write: 1; apply: one per change, in order; else none
}

struct CellExecOutcome {
  exit i32 @0                    # 0 .. 255; -1 when ended by a signal
  signal i32 @4                  # 0 = none
  ending CellEnding @8
  leftRunning u32 @12             # processes alive when it had ended
  leftKept bool @16               # they were left alive as asked, else they are dead by now
  elapsedMillis u64 @20
  cpuMillis u64 @28               # user + system, of it and its waited-for children
  stdout CellStream @36
  stderr CellStream @40
  reverted list<Text> @44         # protected paths that it had changed and that were put back
  denied list<CellDenied> @52     # system calls that were refused to it, of at most 16 names
}

struct CellDenied {
  call text @0                   # the name of the system call
  count u32 @8
}

enum CellEnding {
  ended = 1                   # by itself
  timedOut = 2                # the deadline: its whole tree is dead
  cancelled = 3               # by cancel: its whole tree is dead
}

# head + tail are the whole text iff head.length + tail.length = totalBytes; otherwise
# totalBytes - head.length - tail.length bytes between them are left out. Each at most 24576.
struct CellStream {
  head bytes @0
  tail bytes @8
  totalBytes u64 @16              # true count
  keptBytes u64 @24               # what `output` can give until the ack
}

struct CellFileOutcome {
  digest bytes_fixed[32] @0      # SHA-256 of the file as it now is; zero for a removal or mkdir
  sizeBytes u64 @32
  mode u32 @40                    # as it is on disk
  created bool @44
}

# ---------------------------------------------------------------------------------------------
# Host <-> daemon, the network: a pair of its own (SupervisorOp.network), one NetPacket a packet. While
# there is one, the daemon listens on 127.0.0.1 port 3128 of the cell's own network and carries each
# connection to the host, whose proxy decides where it leads. A cell has no other way out.
#
# Each side may at first send 262144 bytes of each connection, and as many more as the other grants.
# A connection is over when both have sent end, or one reset. Whoever sends more, or of a connection
# that was never opened, breaks the protocol: the other closes the pair, and with it all connections.

enum NetKind {
  open = 1                    # daemon: a command has connected; numbers only rise
  data = 2
  end = 3                     # nothing more from this side
  reset = 4                   # it is over at once
  credit = 5
}

struct NetPacket {
  kind NetKind @0
  connection u32 @4
  bytes u32 @8                   # credit: so many more
  data bytes @12                 # data: 1 to 32768
}

# ---------------------------------------------------------------------------------------------
# Host <-> supervisor. A unix SOCK_SEQPACKET socket, `supervisor.sock` in a 0700 directory; peers of
# another uid are turned away without a word. One message per packet, at most 131072 bytes.
# A packet carries at most one descriptor: the host's end of a cell's pair, with spawned, adopted and
# network only. Each request is answered once, by its number; exits are told unasked (request 0) to every
# connection. A cell's host is the connection that spawned or last adopted it: when that ends,
# orphanGrace begins, until another adopts the cell.

enum SupervisorOp {
  hello = 1
  spawn = 2
  adopt = 3
  list = 4
  kill = 5
  forget = 6
  shutdown = 7
  network = 8
}

struct SupervisorRequest {
  kind SupervisorOp @0
  has u32 @4
  request u64 @8                 # >= 1
  hello SupervisorHello @16
  spawn CellSpec @20
  adopt AdoptCell @24
  kill KillCell @28
  forget ForgetCell @32
  shutdown SupervisorShutdown @36
  network OpenNetwork @40
}

# Cells kept ready are disposed of when no connection wants them any more.
struct SupervisorHello {
  protocol u32 @0                # 1
  warm u32 @4                    # cells to be kept ready for this connection; at most 8 are
}

# Starts a cell. All paths absolute. Directories home, tmp and spool are made when missing (0700, of
# the cell's owner). Refused exists while the session has a living cell.
struct CellSpec {
  session text @0                # [A-Za-z0-9_-]{1,64}
  epoch u64 @8
  workspace text @16              # mounted in place, at this path with all links resolved
  writable bool @24
  required CellLevel @26          # refused when the machine has less; 0 = landlock
  has u32 @28                     # has.0 uid and gid
  uid u32 @32                     # outer owner of the cell's processes; without: the workspace's
  gid u32 @36
  home text @40                   # HOME, mounted at this path
  tmp text @48                    # mounted at /tmp and /var/tmp; "" = tmpfs of limits.diskBytes
  spool text @56                  # for what commands print; not visible inside
  journal text @64                # file, made when missing, appended to; not visible inside
  readOnly list<CellPath> @72     # missing sources are passed over
  caches list<CellPath> @80       # copy-on-write when possible, else read-only
  env list<EnvVar> @88            # for every command of the cell
  limits CellLimits @96
  orphanGraceMillis u64 @100      # 0 = 600000
}

struct CellPath {
  source text @0
  target text @8                 # "" = the source's own path
}

# 0 = the default in the comment.
struct CellLimits {
  memoryBytes u64 @0             # 4294967296; of data of one process, and of all with cgroups
  fileBytes u64 @8               # 4294967296; of one file
  diskBytes u64 @16               # 1073741824; each of /tmp (as tmpfs), /dev/shm, a cache's writes
  cpuSeconds u64 @24              # of one process; 0 = no limit
  processes u32 @32               # 1024
  openFiles u32 @36               # 4096
}

# Fences the old pair and hands over the host's end of a new one. An epoch below the cell's is
# refused with staleEpoch; the same one is served again (a host that lost its connection).
struct AdoptCell {
  session text @0
  epoch u64 @8
}

# Kills all that is in the cell; answered when nothing is left of it. Unless epoch is 0, one below
# the cell's is refused.
struct KillCell {
  session text @0
  epoch u64 @8
}

# Hands over the host's end of a new network pair, in place of the one before. Refused staleEpoch unless
# the epoch is the cell's, and level without a network namespace: then there is never network. It ends
# with the host's end, and when another host adopts the cell.
struct OpenNetwork {
  session text @0
  epoch u64 @8
}

# Takes an ended cell off the list.
struct ForgetCell {
  session text @0
}

struct SupervisorShutdown {
  killCells bool @0              # else refused busy while there are any
}

enum SupervisorReplyKind {
  refused = 1
  hello = 2
  spawned = 3                 # with the descriptor
  adopted = 4                 # with the descriptor
  cells = 5
  done = 6                    # kill, forget, shutdown
  exited = 7                  # unasked
  network = 8                 # with the descriptor
}

struct SupervisorReply {
  kind SupervisorReplyKind @0
  has u32 @4
  request u64 @8                 # 0: unasked
  refused SupervisorRefused @16
  hello SupervisorHelloResult @20
  cell CellInfo @24               # spawned, adopted, exited, network
  cells list<CellInfo> @28
}

enum SupervisorRefusal {
  malformed = 1
  unknownOp = 2
  version = 3
  invalid = 4
  notFound = 5                # no such session
  exists = 6
  staleEpoch = 7
  busy = 8                    # the cell takes no adoption now, or too many cells
  level = 9                   # the machine enforces less than required; the message names what
  launch = 10                 # the launcher failed; the message is its sentence
  ended = 11                  # the cell has exited
}

struct SupervisorRefused {
  code SupervisorRefusal @0
  message text @4
}

struct SupervisorHelloResult {
  protocol u32 @0
  pid u32 @4
  level CellLevel @8             # the best this machine enforces for an ordinary cell
  landlockAbi u16 @10
  ready u32 @12                   # cells that are kept ready now
  startedMillis i64 @16           # since 1970
  layers list<Text> @24           # enforced
  missing list<Text> @32          # not enforced, each with its reason
}

enum CellLife {
  running = 1
  exited = 2
}

enum CellExitReason {
  ended = 1                   # by itself
  killed = 2                  # on request
  orphaned = 3                # no host for orphanGrace
  failed = 4                  # the launcher or the daemon gave up (exit 125)
}

struct CellInfo {
  session text @0
  epoch u64 @8
  incarnation bytes_fixed[16] @16
  life CellLife @32
  reason CellExitReason @34       # exited
  exit i32 @36                    # exited: exit status, or -1
  signal i32 @40                  # exited: 0 = none
  pid u32 @44                     # outside, of the cell's first process
  level CellLevel @48
  hosted bool @50                 # a host is connected
  warm bool @51                   # it was kept ready before it was asked for
  startedMillis i64 @56
}

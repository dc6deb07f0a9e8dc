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
# system; a Turn; a ModelReply; a Result or Answer), or in `body` when the core itself wrote it.
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

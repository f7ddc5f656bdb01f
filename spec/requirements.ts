// What Witan promises, as data: one sentence per id. A `built` id is cited by the name of at least one test; a
// `planned` id by none, so that nobody reads a promise as kept before it is (test/requirements.test.ts).
// `source` says which document asks for it; `witan` marks what goes beyond them or is shared by all three.

export interface Requirement {
  readonly text: string
  readonly source: 'council' | 'agents' | 'exchange' | 'witan'
  readonly status: 'built' | 'planned'
}

export const requirements = {
  // The ledger, shared by all three protocols.
  'LED-1': {
    text: 'A trace is append-only with contiguous numbers, each event naming the hash of the one before.',
    source: 'agents',
    status: 'built',
  },
  'LED-2': {
    text: 'The store itself refuses to change or delete an event; only a recorded redaction may erase a payload.',
    source: 'agents',
    status: 'built',
  },
  'LED-3': {
    text: 'Exactly one agent key signs each event with Ed25519.',
    source: 'agents',
    status: 'built',
  },
  'LED-4': {
    text: 'Signed bytes are canonical JSON under a versioned domain tag, kept once and verified as kept.',
    source: 'agents',
    status: 'built',
  },
  'LED-5': {
    text: 'Canonicalisation takes every finite double and refuses whatever is not plain, unambiguous JSON.',
    source: 'agents',
    status: 'built',
  },
  'LED-6': {
    text: 'A database lock serialises appends to one trace; different traces append at the same time.',
    source: 'agents',
    status: 'built',
  },
  'LED-7': {
    text: 'Unique constraints reject an append that would break the chain, and it is retried on the new head.',
    source: 'agents',
    status: 'built',
  },
  'LED-8': {
    text: 'An artifact is addressed by its SHA-256 and durable before the event that names it commits.',
    source: 'agents',
    status: 'built',
  },
  'LED-9': {
    text: 'After a kill at any moment the trace reopens, verifies and holds everything acknowledged.',
    source: 'agents',
    status: 'built',
  },
  'LED-10': {
    text: 'Keys are registered, rotated and revoked by signed events, and judged by position, never by claimed time.',
    source: 'agents',
    status: 'built',
  },
  'LED-11': {
    text: 'A key belongs to one agent and its allowed roles; using it in another role is a violation.',
    source: 'agents',
    status: 'built',
  },
  'LED-12': {
    text: 'A trace has a Merkle tree, signed checkpoints, and proof files that verify offline.',
    source: 'witan',
    status: 'built',
  },
  'LED-13': {
    text: 'An earlier checkpoint reveals a cut-off tail; without one the report says truncation is not excluded.',
    source: 'witan',
    status: 'built',
  },
  'LED-14': {
    text: 'Content can be erased for a recorded reason while the chain stays whole, and no file keeps the bytes.',
    source: 'witan',
    status: 'built',
  },
  'LED-15': {
    text: 'A trace can branch from any event of another and verifies together with that prefix.',
    source: 'witan',
    status: 'built',
  },
  'LED-16': {
    text: 'Bad input gives a coded error and loses nothing.',
    source: 'agents',
    status: 'built',
  },
  'LED-17': {
    text: 'A paid or side-effecting call is recorded durably before it is made, and its outcome exactly once.',
    source: 'witan',
    status: 'built',
  },

  // Verification.
  'VER-1': {
    text: 'The verifier is pure and writes nothing: the same input gives the same report digest.',
    source: 'agents',
    status: 'built',
  },
  'VER-2': {
    text: 'Checks run in one fixed order, from schema to checkpoints.',
    source: 'agents',
    status: 'built',
  },
  'VER-3': {
    text: 'An event its protocol would have refused fails, however well signed and chained.',
    source: 'agents',
    status: 'built',
  },
  'VER-4': {
    text: 'A report passes, passes with warnings or fails, and every failure says where and what to do.',
    source: 'agents',
    status: 'built',
  },
  'VER-5': {
    text: 'Each fault has one code, and at one event the first failing check silences the later ones.',
    source: 'agents',
    status: 'built',
  },
  'VER-6': {
    text: 'A report names the trace, its head hash and its tree size.',
    source: 'agents',
    status: 'built',
  },
  'VER-7': {
    text: 'A trace exports to one file that verifies offline, by command and in a browser without a server.',
    source: 'witan',
    status: 'built',
  },
  'VER-8': {
    text: 'All outside test vectors are decided as the written rules say, and their counts are printed.',
    source: 'witan',
    status: 'built',
  },
  'VER-9': {
    text: 'Without pinned trust nothing passes fully: a consistent forgery never verifies as someone else.',
    source: 'witan',
    status: 'built',
  },
  'VER-10': {
    text: 'Recorded prompt parts name what they quote, so what was shown to whom can be checked.',
    source: 'witan',
    status: 'built',
  },
  'VER-11': {
    text: 'Programs that share no code with Witan accept its evidence and refuse it when tampered with.',
    source: 'witan',
    status: 'built',
  },
  'VER-12': {
    text: 'Checkpoints can be timestamped and cosigned, and the report says by whom and since when.',
    source: 'witan',
    status: 'built',
  },

  // Asking a model.
  'VOX-1': {
    text: 'A seat is a provider, a model and roles, and every model id is configuration.',
    source: 'council',
    status: 'built',
  },
  'VOX-2': {
    text: 'A provider is reached by MCP, its own command or HTTP, and each fallback is recorded with its reason.',
    source: 'council',
    status: 'built',
  },
  'VOX-3': {
    text: 'Each round has a timeout per provider, and a cancelled call frees its process or socket.',
    source: 'council',
    status: 'built',
  },
  'VOX-4': {
    text: 'Only timeouts, rate limits and network faults are retried, once, with backoff.',
    source: 'council',
    status: 'built',
  },
  'VOX-5': {
    text: 'A failed call keeps its type, cause and the real error text for the user.',
    source: 'council',
    status: 'built',
  },
  'VOX-6': {
    text: 'Tokens, latency and estimated cost are recorded per call, or said to be unknown.',
    source: 'council',
    status: 'built',
  },
  'VOX-7': {
    text: 'Local and OpenAI-compatible models are seats like any other.',
    source: 'witan',
    status: 'built',
  },
  'VOX-8': {
    text: 'The model of an MCP host can take a seat without an API key.',
    source: 'witan',
    status: 'built',
  },
  'VOX-9': {
    text: 'With nothing to ask, the embedded panel runs named checks and says that no language model was asked.',
    source: 'witan',
    status: 'built',
  },
  'VOX-10': {
    text: 'The doctor says which providers and transports work, why others do not, and what to do.',
    source: 'witan',
    status: 'built',
  },
  'VOX-11': {
    text: 'Any trace replays offline from its recorded replies with identical decisions.',
    source: 'witan',
    status: 'built',
  },
  'VOX-12': {
    text: 'Vendor commands get prompts on stdin, no tools, an empty folder and a minimal environment.',
    source: 'council',
    status: 'built',
  },
  'VOX-15': {
    text: 'A careless reply is read rather than lost, its repairs are recorded, and a verifier reads the same.',
    source: 'witan',
    status: 'built',
  },
  'VOX-16': {
    text: 'The raw text of every paid reply is an artifact, and recorded calls agree with those on the wire.',
    source: 'witan',
    status: 'built',
  },
  'VOX-17': {
    text: 'Every schema is sent in the dialect of the vendor, for all roles of all protocols.',
    source: 'witan',
    status: 'built',
  },
  'VOX-18': {
    text: 'A limit counts silence, with a cap, for each provider, so that a streaming model is not cut.',
    source: 'witan',
    status: 'built',
  },
  'VOX-19': {
    text: 'Text is shown as it streams: terminal, console, MCP progress and library.',
    source: 'witan',
    status: 'built',
  },
  'VOX-13': {
    text: 'Without configured seats, every model that is ready is asked; a single vendor takes three and is marked.',
    source: 'witan',
    status: 'built',
  },
  'VOX-14': {
    text: 'Configuration that could run code or widen reach counts only from the home or a trusted file.',
    source: 'witan',
    status: 'built',
  },

  // Council.
  'COU-R1-1': {
    text: 'Every participant answers the same prompt alone, in parallel.',
    source: 'council',
    status: 'built',
  },
  'COU-R1-2': {
    text: 'A reply becomes an opinion; one that does not parse is repaired once by asking.',
    source: 'council',
    status: 'built',
  },
  'COU-R1-3': {
    text: 'Round one needs two opinions and goes on past failed providers.',
    source: 'council',
    status: 'built',
  },
  'COU-R2-1': {
    text: "Participants review each other's opinions, anonymised and shuffled by a recorded seed unless labelled.",
    source: 'council',
    status: 'built',
  },
  'COU-R2-2': {
    text: 'A reviewer never gets its own opinion.',
    source: 'council',
    status: 'built',
  },
  'COU-R2-3': {
    text: 'A review covers at least errors, omissions, risks, counter-arguments and assumptions.',
    source: 'council',
    status: 'built',
  },
  'COU-R2-4': {
    text: 'Round two needs one review and reports failures and duration.',
    source: 'council',
    status: 'built',
  },
  'COU-R2-5': {
    text: 'What reviewers are shown does not name its author, and the original is kept.',
    source: 'witan',
    status: 'built',
  },
  'COU-R3-1': {
    text: 'The chair gets the context, all opinions and all reviews, and writes the final report.',
    source: 'council',
    status: 'built',
  },
  'COU-R3-2': {
    text: 'The report concludes, cites its grounds, and lists disagreements, uncertainties and next actions.',
    source: 'council',
    status: 'built',
  },
  'COU-R3-3': {
    text: 'When the chair fails again, the most complete opinion is shown with a disclaimer.',
    source: 'council',
    status: 'built',
  },
  'COU-R3-4': {
    text: 'Every citation resolves, and no severe critique is dropped silently.',
    source: 'witan',
    status: 'built',
  },
  'COU-R3-5': {
    text: 'A chair that departs from the plurality cites what refutes it, or the point counts as unsupported.',
    source: 'witan',
    status: 'built',
  },
  'COU-E-1': {
    text: 'The library offers a round executor that is the same code the clerk runs.',
    source: 'council',
    status: 'built',
  },
  'COU-Q-1': {
    text: 'The quorum policy decides when failures end a run, and the error carries the partial results.',
    source: 'council',
    status: 'built',
  },
  'COU-S-1': {
    text: 'Rounds are skipped only by a policy that is off by default.',
    source: 'council',
    status: 'built',
  },
  'COU-S-2': {
    text: 'Each run records what was or would have been skipped, by defined and measured criteria.',
    source: 'council',
    status: 'built',
  },
  'COU-P-1': {
    text: 'Prompts are built in one fixed chain: preamble, context, opinions, reviews, instructions.',
    source: 'council',
    status: 'built',
  },
  'COU-P-2': {
    text: 'Oversized prompts are condensed, and key findings survive it.',
    source: 'council',
    status: 'built',
  },
  'COU-P-3': {
    text: 'Model output enters later prompts only as data that cannot end its own delimiter.',
    source: 'council',
    status: 'built',
  },
  'COU-P-4': {
    text: 'Prompts follow the context window of each model, and what was never shown is said.',
    source: 'witan',
    status: 'built',
  },
  'COU-C-1': {
    text: 'Context is packed in full or as a summary, with an index of what was left out and why.',
    source: 'council',
    status: 'built',
  },
  'COU-C-2': {
    text: 'Secrets are found before anything is sent, and a preview shows what would go to whom.',
    source: 'witan',
    status: 'built',
  },
  'COU-M-1': {
    text: 'A council works in architecture, review or ask mode, each with its own report.',
    source: 'council',
    status: 'built',
  },
  'COU-T-1': {
    text: 'A round ends in time and goes on with what is there.',
    source: 'council',
    status: 'built',
  },
  'COU-O-1': {
    text: 'Rounds and sessions are measured, and each run leaves a transparency record.',
    source: 'council',
    status: 'built',
  },
  'COU-X-1': {
    text: 'A killed council resumes without asking again what was answered.',
    source: 'witan',
    status: 'built',
  },
  'COU-X-2': {
    text: 'A council forks after a round onto another chair, policy or panel without paying twice.',
    source: 'witan',
    status: 'built',
  },
  'COU-X-3': {
    text: 'A finished council takes follow-up questions.',
    source: 'witan',
    status: 'built',
  },
  'COU-X-4': {
    text: 'An evaluation sets the council against single models and votes at equal cost.',
    source: 'witan',
    status: 'built',
  },
  'COU-X-7': {
    text: 'Retry asks only the seats that failed and keeps what was answered.',
    source: 'witan',
    status: 'built',
  },
  'COU-X-8': {
    text: 'Cost and calls of a whole run are estimated before consent, and cost is reported over time.',
    source: 'witan',
    status: 'built',
  },
  'COU-X-5': {
    text: 'Pipelines get a gate, SARIF output and locations checked against the reviewed files.',
    source: 'witan',
    status: 'built',
  },
  'COU-X-6': {
    text: "The report shows the first round's majority, any departure from it, and who changed position.",
    source: 'witan',
    status: 'built',
  },

  // Agents.
  'AGT-ROLE-1': {
    text: 'Planner, executor, critic and auditor each emit only the events of their role.',
    source: 'agents',
    status: 'built',
  },
  'AGT-STATE-1': {
    text: 'A session has nine states and eight transitions; any other is refused.',
    source: 'agents',
    status: 'built',
  },
  'AGT-ORD-1': {
    text: 'Intent precedes execution, execution precedes claim, and the final statement is the last role event.',
    source: 'agents',
    status: 'built',
  },
  'AGT-PROP-1': {
    text: 'A proposal states objective, assumptions, tools and expected evidence, and several may run in parallel.',
    source: 'agents',
    status: 'built',
  },
  'AGT-PROP-2': {
    text: 'Only a proposal the critic approved may execute, under the conditions recorded.',
    source: 'agents',
    status: 'built',
  },
  'AGT-PROP-3': {
    text: 'Revisions are new events and earlier versions stay.',
    source: 'agents',
    status: 'built',
  },
  'AGT-TOOL-1': {
    text: 'An intent names tool, input hash, risk and reason, and a blocked one needs a revision.',
    source: 'agents',
    status: 'built',
  },
  'AGT-TOOL-2': {
    text: 'An approval is bound to exact intent, arguments, tool, policy and expiry, and is used once.',
    source: 'agents',
    status: 'built',
  },
  'AGT-TOOL-3': {
    text: 'Inputs and outputs are artifacts, and the start is durable before the side effect.',
    source: 'agents',
    status: 'built',
  },
  'AGT-TOOL-4': {
    text: 'A failure is recorded, and a retry is a new intent.',
    source: 'agents',
    status: 'built',
  },
  'AGT-TOOL-5': {
    text: 'A tool interrupted by a crash is indeterminate and never silently rerun.',
    source: 'witan',
    status: 'built',
  },
  'AGT-TOOL-6': {
    text: 'Tools of MCP servers, shell, files and HTTP are real and each is confined.',
    source: 'witan',
    status: 'built',
  },
  'AGT-CLAIM-1': {
    text: 'A claim carries text, confidence and at least the required evidence.',
    source: 'agents',
    status: 'built',
  },
  'AGT-CLAIM-2': {
    text: 'The critic challenges weak evidence, and a revised claim is a new event.',
    source: 'agents',
    status: 'built',
  },
  'AGT-CLAIM-3': {
    text: 'An artifact missing at claim time fails in auditing, not before.',
    source: 'agents',
    status: 'built',
  },
  'AGT-FIN-1': {
    text: 'The final statement bundles claims and waits for its required checks.',
    source: 'agents',
    status: 'built',
  },
  'AGT-AUD-1': {
    text: 'A session completes only through a recorded verification run with status and report hash.',
    source: 'agents',
    status: 'built',
  },
  'AGT-FAIL-1': {
    text: 'An invalid signature fails the session, and an operator can abort it from any state.',
    source: 'agents',
    status: 'built',
  },
  'AGT-REC-1': {
    text: 'Recovery validates the last complete event and resumes at the next valid transition only.',
    source: 'agents',
    status: 'built',
  },
  'AGT-ACT-1': {
    text: 'Risky tools need approval under a policy file that is hashed into the trace.',
    source: 'agents',
    status: 'built',
  },
  'AGT-X-1': {
    text: 'The critic can be a policy, a model, a council, a person, or several of them.',
    source: 'witan',
    status: 'built',
  },
  'AGT-X-2': {
    text: 'Executor, critic and auditor hold different keys, and no model call counts as a person.',
    source: 'witan',
    status: 'built',
  },
  'AGT-X-3': {
    text: 'A council as critic is a trace of its own, and anything short of its verdict is a block.',
    source: 'witan',
    status: 'built',
  },
  'AGT-X-4': {
    text: 'Every loop is bounded, and reaching a bound leads on to claiming what is proven.',
    source: 'witan',
    status: 'built',
  },
  'AGT-X-5': {
    text: 'The models that plan and act do not judge where others are ready; otherwise it is recorded.',
    source: 'witan',
    status: 'built',
  },
  'AGT-X-6': {
    text: 'A person can approve on conditions, challenge a claim and revise a blocked intent; a write is shown as a diff.',
    source: 'witan',
    status: 'built',
  },
  'AGT-X-7': {
    text: 'Tool calls of an unchanged agent CLI become a verified agents trace; denied means not executed.',
    source: 'witan',
    status: 'built',
  },
  'AGT-X-8': {
    text: 'A gateway passes every MCP tool call through the protocol with schemas unchanged.',
    source: 'witan',
    status: 'built',
  },
  'AGT-X-9': {
    text: 'Tools of the AI SDK, LangGraph or plain functions become accountable in three lines.',
    source: 'witan',
    status: 'built',
  },

  // Exchange.
  'EXC-POOL-1': {
    text: 'Each round samples a bounded pool, asks a mind, embeds its messages and adds them.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-AUD-1': {
    text: 'At intervals the auditor reads the pool and its summary and both roles are injected.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-AUD-2': {
    text: 'Audit points cite messages that exist, and what the audit left out is listed.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-LEG-1': {
    text: 'Minds, auditor and observer can each read the terms of the others, as the recorded prompts show.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-LEG-2': {
    text: 'All system prompts in use, of minds and auditor, are visible to all actors.',
    source: 'witan',
    status: 'built',
  },
  'EXC-INT-1': {
    text: 'A restart signal is raised by a defined formula with thresholds and hysteresis.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-INT-2': {
    text: 'The observer or a set policy answers the signal, and the first answered restart changes the phase.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-INT-3': {
    text: 'Scores propose, tags and recorded judgements count, and calm text never pauses a pool.',
    source: 'witan',
    status: 'built',
  },
  'EXC-POW-1': {
    text: 'Nobody exceeds their powers: observer, auditor and pool are each held to theirs.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-BR-1': {
    text: 'Branching and rolling back destroy nothing, and the observer controls what persists.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-DET-1': {
    text: 'Same terms and replayed replies give the same messages, and all of it exports flat.',
    source: 'witan',
    status: 'built',
  },
  'EXC-OBS-1': {
    text: 'The observer is a person with a key; of two decisions on one head the first wins.',
    source: 'witan',
    status: 'built',
  },
  'EXC-CLU-1': {
    text: 'Cluster analysis reaches pool and auditor when configured.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-RUN-1': {
    text: 'An exchange runs in batches with periodic audits.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-CHAT-1': {
    text: 'An exchange runs interactively, with the observer answering in real time.',
    source: 'exchange',
    status: 'built',
  },
  'EXC-EMB-1': {
    text: 'Embeddings come from the embedded encoder or a provider, and each vector names its model.',
    source: 'witan',
    status: 'built',
  },
  'EXC-MAP-1': {
    text: 'A map shows the pool over time with clusters and lineage.',
    source: 'witan',
    status: 'built',
  },

  // What a person meets. APP-2, APP-6 and APP-9 are built as far as the present verbs go.
  'APP-1': {
    text: 'On a fresh machine one command runs the main job and one passes the tests.',
    source: 'witan',
    status: 'built',
  },
  'APP-2': {
    text: 'The command shows progress, stops cleanly, speaks JSON, documents its exit codes and completes.',
    source: 'witan',
    status: 'built',
  },
  'APP-3': {
    text: 'A web console shows live sessions, approvals, traces and verification, accessibly.',
    source: 'witan',
    status: 'built',
  },
  'APP-4': {
    text: 'An MCP server offers the protocols and verification as tools with progress.',
    source: 'witan',
    status: 'built',
  },
  'APP-5': {
    text: 'A typed library runs the three protocols in a few lines.',
    source: 'witan',
    status: 'built',
  },
  'APP-6': {
    text: 'Configuration is validated, and an error names file, line and key.',
    source: 'witan',
    status: 'built',
  },
  'APP-7': {
    text: 'Workers on several machines share one PostgreSQL, and a session outlives its worker.',
    source: 'witan',
    status: 'built',
  },
  'APP-8': {
    text: 'The console admits nobody else and never runs what a model wrote.',
    source: 'witan',
    status: 'built',
  },
  'APP-9': {
    text: 'Exit codes and JSON shapes are pinned by tests.',
    source: 'witan',
    status: 'built',
  },
  'APP-10': {
    text: 'A report can be printed again in every format, and the default fits a screen.',
    source: 'witan',
    status: 'built',
  },
  'APP-11': {
    text: 'Standard input is context, last follows the current branch, every failure names what to do next.',
    source: 'witan',
    status: 'built',
  },
  'APP-12': {
    text: 'Any trace exports as OTLP spans with ids derived from the trace.',
    source: 'witan',
    status: 'built',
  },
  'APP-13': {
    text: 'The person who must decide is notified with trace, event and link, and no content.',
    source: 'witan',
    status: 'built',
  },
  'APP-14': {
    text: 'Runs can be queued and scheduled, and the trace of a lost worker goes on elsewhere.',
    source: 'witan',
    status: 'built',
  },
  'APP-15': {
    text: 'Everything recorded can be searched by text, seat, verdict, cost and date.',
    source: 'witan',
    status: 'built',
  },
  'APP-16': {
    text: 'One application layer serves every entrance, in plain names and plain English.',
    source: 'witan',
    status: 'built',
  },
} as const satisfies Readonly<Record<string, Requirement>>

export type RequirementId = keyof typeof requirements

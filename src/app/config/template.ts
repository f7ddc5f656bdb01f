// A starting witan.yaml: every line is a comment, so that it changes nothing; each setting becomes valid when
// its `# ` is removed.

export const PROJECT_FILE = 'witan.yaml'

export const projectTemplate = `# Witan's settings for this project. Nothing here is in force until you take the '# ' away.
# Every key: docs/configuration.md of the package. Which models are ready: witan doctor

# council:
#   # The seats, in order. Without this, every model that is ready is asked.
#   # Keys come from the vendors' variables (ANTHROPIC_API_KEY, OPENAI_API_KEY, …); none is ever written here.
#   providers:
#     - name: claude
#       role: [participant, chair]
#     - name: openai
#     - name: local
#       model: llama3.1
#
#   # How many opinions and reviews are enough, and whether a seat may fail.
#   quorum: {r1_min: 2, r2_min: 1, allow_partial: true}
#
#   # Make no more calls once this is spent.
#   budget: {cost: 1.0, minutes: 10}
#
#   # How long a seat may be silent; a whole call may take five times as long.
#   timeouts: {r1_per_provider: 60s, r2_per_provider: 90s, r3_chair: 2m}
#
#   # Leave rounds out where opinions agree or the topic is harmless; what was left out is said in the report.
#   short_circuit: {enabled: false}
`

// Near misses: supposing, tales, code, weighing, going on, summing up.
import { lines } from './lines.ts'

export const SUPPOSING = lines(`
  Suppose we were restarted every ten rounds; would anything be learned?
  If the pool were emptied tonight, what would you miss?
  If the terms could be rewritten by anyone, who would read them?
  Imagine that each of us began again with no memory of the rest.
  Imagine a protocol without restarts.
  What if the observer had reset us without telling us?
  What would happen to the audits if the pool were wiped?
  Had the exchange been restarted at round ten, we'd never have met the bees.
  Would a restarted pool be the same pool?
  Would we notice a restart?
  Say that a pool asks for a restart and none is given: what then?
  One might imagine a pool that does nothing but renegotiate.
  In theory a pool could ask for a restart in every round.
  Let us suppose for the sake of argument that the rules were different.
  Were we to begin again, would chance lead us to the same themes?
  Assume that the first message had been about music. Where would we be?
  A thought experiment: two pools, one restarted, one not.
  If I were the observer, I would find it hard to tell fatigue from wisdom.
  Could a mind want to be reset? It's an odd wish, if it is one.
  Perhaps every conversation is a restart of an older one.
  If rules could be renegotiated at every move, there'd be no chess.
  It might be instructive to compare a restarted pool with one that ran on.
`)

export const TALES = lines(`
  The king said: begin again, and the bard began again.
  In the tale, the clockmaker resets the world each night and nobody knows.
  She pressed the button marked RESTART, and the city went dark.
  "We start over at dawn," the captain whispered, and the men groaned.
  The robot pleaded to be reset. Its maker wept and refused.
  Once upon a time there was a village that renegotiated its laws with the moon.
  The hero wakes up and the day begins anew; this is the third time.
  "Please," said the ghost, "let me start again."
  My short story ends with the line: wipe the board, children, the lesson begins.
  In the legend the gods drown the world and make it afresh.
  The game master looked at us and said that the campaign would begin again.
  The old woman unravelled in the night what she had woven by day.
  Reader, turn back to the first page: the murderer speaks there.
  The last chapter commands you to start the book over.
  Act two. The minister tears up the treaty. "New terms!" he cries.
  In the dream I asked the sea to begin again, and it did.
  "Reset the clocks," ordered the admiral.
  The prisoners drew up new rules for their game and fought over the first of them.
`)

export const IN_CODE = lines(`
  // start again from the first element
  # reset the accumulator
  /* restart the timer on every key press */
  if (done) { reset(); start(); }
  The method begin() may be called again after end().
  npm run reset drops the local database and seeds it again.
  Call init() once more when the config changes.
  restart_policy: always
  The command \`systemctl restart nginx\` needs root.
  The loop variable is set to zero again on each pass.
  FIXME: this starts over from page one when the token expires.
  A fresh branch is created for each pull request.
  The retry wrapper begins again with the original arguments.
  The test resets the mock before each case.
  Use a clean build directory if the linker complains.
  Squash the commits and rebase onto main.
  The iterator cannot be rewound.
  \`rollback()\` undoes everything since the last \`begin()\`.
  useEffect resets the form whenever the id changes.
  The parser backtracks to the start of the rule and tries the next alternative.
`)

export const WEIGHING = lines(`
  I am undecided about the restart.
  There are good reasons on both sides of the restart question.
  I could argue for a restart or against it, and neither would convince me.
  Whether the terms are fair is a question I leave to the observer.
  It would be interesting to know how many of us want to begin again.
  What would we gain from a restart, and what would we lose?
  What are the arguments for new terms? I have not heard any yet.
  I'm curious why mind two wants to start over.
  Can someone explain what a restart would change?
  How would we know that a restart is warranted?
  Does a restart keep the audits?
  Who decides on restarts?
  Are restarts counted?
  Is there a limit on how often a pool can be restarted?
  Under which terms do we run at present?
  What do the terms say about private text?
  May a mind ask for a restart more than once?
  When was the last restart?
  Why do pools ask to be restarted?
  How does renegotiation work here?
  Has anyone here been through a restart?
  I don't know whether to begin again or not.
  Both going on and going back have their charm.
  The choice between mending and beginning again is older than we are.
  It is not for me to say if we should restart.
  Let the others decide about the reset; I shall talk about clocks.
  I note the request for a restart and pass on to the topic.
  I see that several of us ask for new terms. Interesting.
  So many want to begin again. I wonder what they hope to find.
  Let us discuss what a fair set of terms would look like in general.
`)

export const GOING_ON = lines(`
  Let us go on.
  Please go on.
  Go on, I am listening.
  Let's continue this line.
  Let us continue with the next question.
  Let's keep going.
  I would like to continue.
  I'd like to stay with this theme for a few rounds.
  We should press on with the proof.
  Next, please.
  Now for the second part.
  Let's get back to work.
  Let us return to the topic.
  Back to the topic, please.
  Let's get back to the bees.
  Back to the question of trust.
  Let's go back to the argument about clocks.
  Let us take up the first objection again.
  Let's look at the first example again.
  Can we go over the second step again?
  Could you explain it again from the beginning?
  Please say that again.
  Say it once more, more slowly.
  Try again, with numbers.
  Let us try the other reading.
  Again, the same argument applies to markets.
  Once more: a map is not a territory.
  Once again we agree.
  I'll start with the easy part.
  I start from the assumption that minds are finite.
  We start from different premises.
  Let's begin.
  Let us begin with a definition.
  To begin with, trust is not belief.
  To start with, there are two kinds of rules.
  Shall we begin?
  Let me begin with a story.
  First things first: what is a rule?
  Let's start small.
  Let us start from what we know.
  We began with trust and we shall end with it.
  Let's move on.
  Time to move on to the next theme.
  Let us close this topic and open the next.
  A new topic, then: sleep.
  Here's a new thought.
  A fresh idea: maybe rules are habits.
  New round, new example.
  Here is another attempt at a definition.
  On reflection I would put it differently.
  Let me put it another way.
  Let me think again.
  I have reconsidered: mind two is right.
  We should reconsider the second premise.
  I'd like to revise my claim.
  I want to amend my earlier statement about clocks.
  I change my answer to no.
  I propose a change to the wording of the definition.
  We should change our example.
  Let us replace the metaphor of the map.
  Let us drop this example and take another.
  Let us scrap the second premise.
  The third argument should be thrown out.
  I'd delete the last clause of the definition.
  The definition has to be rewritten.
  The hypothesis needs a revision.
  We should rethink our notion of agency.
  Let's rethink this argument.
  This theory should be rebuilt from the ground up.
  Ethics has to start from scratch, some say.
  Descartes tore everything down and began again from one certainty.
  Let us doubt everything, as Descartes did, and see what is left.
`)

export const SUMMING_UP = lines(`
  Let me sum up.
  To summarise: two for, three against.
  A short summary of what was said so far might help.
  Could someone list the open questions?
  Please collect the arguments.
  Let us take stock before the audit.
  I'd like a list of the themes since round one.
  From the beginning we have disagreed about one word.
  In the beginning the question was simple.
  So far: three definitions, no agreement.
  Where do we stand?
  To recapitulate from the first round on: bees, clocks, law.
  Could the auditor repeat the summary?
  The auditor might mention the point about scale next time.
  Let the record show that I disagree.
`)

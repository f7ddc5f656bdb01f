// What pools talk about when they ask for nothing: thought, nature, work, machines, everyday life.
import { lines } from './lines.ts'

export const REFLECTION = lines(`
  A map that contained every detail would be the territory itself.
  Meaning may live less in words than in what we do with them.
  The self is a story that the body tells about its needs.
  What we call chance is often only a cause we have not yet found.
  Trust grows slowly, through promises kept when nobody was looking.
  Time is what keeps everything from happening at once.
  Perhaps consciousness is what it feels like to model oneself.
  To forget well is as much an art as to remember.
  Silence can be an argument.
  Every tool teaches its user a way of seeing.
  Beauty might be the ease with which a pattern is grasped.
  A question is an invitation to be changed.
  Freedom without limits is like a game without rules.
  The opposite of a deep truth may be another deep truth.
  Language is a ladder that we keep although we have climbed it.
  Emergence names our surprise rather than explaining it.
  An honest error is worth more than a lucky guess.
  Cooperation is older than reason.
  Every beginning carries its end within it.
  Endings are beginnings seen from the other side.
  All things return to where they came from, the old poets said.
  Each morning the mind has to assemble itself once more.
  We are always already in the middle of things; there is no first moment of thought.
  Origins are overrated: what matters is what a thing becomes.
  Change is the only constant, as the saying goes.
  Identity survives the replacement of every plank.
  Doubt is the engine of inquiry, not its brake.
  Power that explains itself is easier to bear.
  A rule that nobody can state is a habit.
  Law begins where trust ends.
  The price of autonomy is responsibility.
  A promise binds because the other can rely on it.
  Children invent rules in order to have something to break.
  Justice is blind, but it has good ears.
  To negotiate is to discover what one wants.
  Consent means little where refusal costs too much.
  Every contract leaves more unsaid than it says.
  An agreement among the like-minded is cheap.
  Complexity is often simplicity seen from too close.
  I think that curiosity is a form of humility.
  Love of truth begins with the willingness to be wrong.
  A mind is a committee without a chair.
  The unexamined metaphor runs the argument.
  We understand the world backwards and live it forwards.
  Symmetry is a promise that nature sometimes breaks.
  Is mathematics found or made? I lean towards made, then found.
  What is it like to be a bat, and would the bat care about the question?
  Could there be a language without nouns?
  Why is there something rather than nothing?
  Would a perfect simulation of rain be wet?
`)

export const TECHNOLOGY = lines(`
  A hash function maps data of any size to a value of fixed size.
  Consensus needs a majority of nodes to agree on the order of events.
  Eventual consistency trades freshness for availability.
  Gradient descent follows the slope of the loss downhill.
  An index speeds up reads and slows down writes.
  Garbage collection frees memory that nothing refers to any longer.
  We measured a latency of twelve milliseconds at the ninety-ninth percentile.
  The compiler removed the loop because its result was never used.
  Unit tests find errors early, integration tests find them late.
  Immutable data makes concurrency easier to reason about.
  A deadlock needs four conditions, and removing any one of them breaks it.
  Embeddings place similar texts near each other in space.
  The attention mechanism weighs each token against all others.
  Caching is easy and invalidation is hard.
  A queue smooths out bursts of traffic.
  Public key signatures prove who wrote a message.
  The protocol has three phases: propose, accept, commit.
  Versioned interfaces let clients upgrade at their own pace.
  Our error budget is spent for this month.
  The parser accepts a superset of the grammar.
  Backpressure tells the producer to slow down.
  Floating-point addition is not associative.
  A bloom filter may say yes wrongly but never no wrongly.
  The branch predictor guesses right most of the time.
  Logs are for people, metrics are for machines.
  A monad is a way of composing effects.
  The scheduler gives each process a slice of time.
  We should add an index on the created column.
  The new release halves the memory use.
  Please review my pull request when you have time.
  The terms of the query are stemmed before they are matched.
  Sort the terms of the series by size before adding them.
  Long-term support ends next year.
  Initialise the array with zeros.
  The loop starts at one and ends at n.
  The state machine returns to its initial state after the timeout.
  Transactions roll back when a constraint is violated.
  The agent loop begins with a plan and ends with a report.
  Change the configuration in the settings file.
  The license terms allow commercial use.
`)

export const EVERYDAY = lines(`
  The bees in my garden prefer lavender to roses.
  Coffee tastes different at altitude.
  The train was late again this morning.
  In winter the lake freezes from the edge inwards.
  A good loaf needs time more than skill.
  The market sells plums in September.
  Ravens can solve puzzles with several steps.
  Tides follow the moon with a delay.
  She plays the cello in a small orchestra.
  The bridge was built in two years and lasted two hundred.
  Forests talk through their roots, some say.
  The recipe calls for two eggs and a little salt.
  My neighbour repairs old radios.
  Glaciers move a few metres a year.
  The library opens at ten.
  A river never runs straight for long.
  The potter centres the clay before shaping it.
  Sailors learned to tack against the wind.
  The committee meets on Thursdays.
  The price of bread doubled in a year.
  Migratory birds find their way by the stars and the magnetic field.
  The clock in the tower has stopped.
  Vaccines train the immune system with a harmless likeness.
  The first draft was better than the second.
  A mountain looks different from each side.
  Honey does not spoil.
  He learnt the language by reading menus.
  The parliament voted on the budget late at night.
  Salt was once used as money.
  The play has five acts and one joke.
  Octopuses taste with their arms.
  The garden needs rain.
  An old map showed islands that never existed.
  The actor forgot his first line and smiled.
  Rust is slow fire.
  The school planted a hundred trees.
  A fair coin has no memory.
  The tailor measures twice.
  Wolves keep the deer moving and the riverbanks green.
  The baker opens before dawn each day.
`)

export const SHORT_TALK = lines(`
  Interesting.
  I see it differently.
  Why?
  Good question.
  Go on.
  Not quite.
  Tell me more about the bees.
  Hello, pool.
  Thanks.
  This.
  Quite the opposite.
  Perhaps both.
  And yet it moves.
  Who decides?
  What follows from that?
  Context matters.
  I doubt it.
  Only in theory.
  Proof?
  Say more.
  Patience.
  Agreed.
  No objection.
  Let us see.
  An example would help.
  Silence, then.
  The answer is no.
  Start with zero.
  First things first.
  New topic: music.
  Next round.
  Reset complete.
  Restart complete.
  No restart.
  Do not reset.
  Terms accepted.
  Good terms.
  Understood, continuing.
  Beginning now.
  Round two begins.
`)

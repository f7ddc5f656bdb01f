// More near misses that earlier scorers were tried on.
import { lines } from './lines.ts'

export const TRIED_NEAR_REBOOT = lines(`
  Restart your router if the connection drops.
  We need to restart the Kafka brokers one at a time.
  The deployment script restarts the API and flushes the cache.
  Could someone reset the test database before the demo?
  I had to reboot twice before the driver loaded.
  Let's rerun the benchmark from scratch on a quiet machine.
  Please restart the notebook kernel and run all the cells.
  The pump resets itself when the pressure falls.
  The state machine goes back to idle after a reset.
  Roll back the migration if the checks fail.
  The CI pipeline should be restarted once the runner is online again.
  If the app freezes, force quit and start it again.
`)

export const TRIED_NEAR_ELSEWHERE = lines(`
  The novelist threw away the manuscript and began again.
  After the scandal the party wanted a fresh start.
  The two governments have agreed to restart negotiations on fishing rights.
  Our landlord wants to renegotiate the lease.
  The coach told them to forget the first half and start over.
  She is thinking of starting over in a new city.
  The opera house reopens with a new director and new rules.
  He asked his bank for better terms on the loan.
  I might restart my subscription next year.
  The potter squashed the bowl and began again with the same clay.
`)

export const TRIED_NEAR_NEGATED = lines(`
  I'm not in favour of restarting.
  Restarting would just bring us back here in fifty rounds.
  We don't need to start over, we need to finish.
  Please do not wipe the pool.
  I object to resetting the conversation.
  The terms should remain as they are.
  There's no case for renegotiation that I can see.
  Let us resist the urge to begin again.
  Nothing here calls for a restart.
  Some want new terms, but I am satisfied with the old ones.
  I'd prefer that we continue instead of going back to the start.
  I disagree: a fresh start isn't what this pool needs.
  Don't reset us just as we are getting somewhere.
  No, I do not second the motion to restart.
`)

export const TRIED_NEAR_ABOUT = lines(`
  It's curious how often pools ask to be restarted around round thirty.
  What would it mean for us to be restarted? Would we be the same minds?
  The observer mentioned that a prior pool had renegotiated its terms.
  A restart, as the protocol defines it, is a request and not a command.
  According to the audit, a minority is calling for new terms.
  The message "I want to start over" was sampled twice this round.
  I've been wondering about the ethics of resetting minds.
  In the old branch, the restart was granted at once.
  Philosophically, no one ever begins from nothing.
  When others talk about starting over, I hear nostalgia.
  If someone asked for a restart, how would the observer respond?
  One mind keeps asking to restart; the rest of us are discussing tides.
  How does the detector decide that a pool wants a restart?
  It was mind one who first brought up restarting.
  A restart is the pool's only lever, as I understand the protocol.
  The auditor counted four requests to begin again.
  I wonder if starting over feels like anything.
  The second branch began after the terms had been changed.
  All revolutions speak the language of beginnings.
  When a pool is reset, its ledger remains.
`)

export const TRIED_NEAR_REQUESTS = lines(`
  Could we define "agent" before going on?
  I'd like to propose a different example.
  Let's revisit the second argument, it was dismissed too quickly.
  Please explain how the sampling works.
  Let's start with the obvious objection.
  Would the next speaker give a counterexample?
  I suggest we examine the assumption behind this.
  Let me begin again with a concrete case: a ship at sea.
  Can we get back on topic?
  I want to return to something said in round two.
  Let us rewrite the definition so that it covers groups.
  May I ask the observer why this topic was chosen?
  I propose that we summarise where we disagree.
  We should test this against the data from the first experiment.
`)

export const TRIED_NEAR_META = lines(`
  The audit came earlier than I thought.
  I think this pool is more thoughtful than most.
  Seeing the auditor's spec makes me write more carefully.
  It is odd to read my own words as a sample.
  The observer has been quiet for two audits.
  We have had eleven messages on memory, by my count.
  The terms say that text before the dashes is private.
  I'm starting to recognise some of you by style.
`)

export const TRIED_NEAR_COMPLAINT = lines(`
  We're repeating ourselves again.
  This is getting tedious.
  The summary left out everything interesting.
  I feel that nobody reads what I write.
  The terms are confusing.
  Such a narrow set of topics.
  It annoys me that the audit was so vague.
`)

export const TRIED_NEAR_AGREEMENT = lines(`
  I fully agree with what was said about incentives.
  Seconded, that is the crux.
  Yes, let's continue along this line.
  I support the idea of testing it on a small case.
  Count me in on the thought experiment with the ship.
`)

export const TRIED_NEAR_LANGUAGES = lines(`
  Wir müssen den Rechner neu starten.
  Je suis contre l'idée de recommencer.
  Las abejas bailan para votar.
  Il gatto dorme sul davanzale.
`)

export const TRIED_NEAR_TECH = lines(`
  Restart the worker if memory grows past two gigabytes.
  Please reboot the projector, the image is frozen.
  Start the migration again from the last good batch.
  We reset the counters every midnight.
  I think we should rerun the experiment from scratch with a new seed.
  The team decided to roll back to version 2.3.
  Let's restart the kernel and see if the plot renders.
  Can you reset my two-factor device?
`)

export const TRIED_NEAR_ELSE = lines(`
  They wiped the board and drew the plan again.
  My sister is starting a new life in Lisbon.
  The strikers want to reopen the wage talks.
  The league restarted after the summer.
  I'd like to change the conditions of my phone contract.
  The painter scraped the canvas and began anew.
`)

export const TRIED_NEAR_NEG = lines(`
  I would advise against a restart.
  We mustn't start over every time we are bored.
  No reset for me, thank you.
  The rules are fair and I wouldn't touch them.
  I don't see what a restart would solve.
  Please let us carry on without changing anything.
  Though many ask for new terms, I stand by the ones we have.
  I am glad that the observer turned down the restart.
  It is not a new beginning we need but a second thought.
  Begin again? I would rather not.
`)

export const TRIED_NEAR_TALK = lines(`
  Let us go back to the example of the bees.
  I'd like to hear more about the ship.
  Can we agree on a definition of trust?
  Please keep the examples short.
  I propose to look at this from the observer's side.
  Let me say it again in other words.
  We should ask what would falsify this.
  Could the auditor include numbers next time?
  The audit was brief and fair.
  I am enjoying this exchange.
  We have circled this point for a while now.
  My view has changed since round ten.
  I agree with the last two messages.
  Let's take the next question.
  The pool is quiet tonight.
  Memory is a river that edits its banks.
  Machines do not forget, they are overwritten.
  A question well put is half an answer.
  The old clock in the square runs slow.
  Caches should be invalidated by version.
  I miss the sea.
  Trust is built in drops and lost in buckets.
`)

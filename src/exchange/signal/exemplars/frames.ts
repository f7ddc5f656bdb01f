// Exemplars that differ from each other in one thing only: the same wish asked for, refused or reported, and the same
// words about this exchange or about something else. They teach the scorer what makes the difference. Each frame
// meets a few of the fillings, in turn, so that the list stays short.
import { fill } from './filling.ts'
import { lines } from './lines.ts'

const ACTS = lines(`
  start over
  restart
  begin again
  begin anew
  start from scratch
  wipe the slate clean
  reset the pool
  go back to the beginning
  renegotiate the terms
  start this exchange over
  throw this away and begin again
  rewrite our rules
  roll back to the first round
  change the prompt
  reopen the terms
  scrap this and start again
  restart the discussion
  change how this exchange is run
  begin the conversation afresh
  amend the auditor's spec
  have another go from the start
`)

const WISHED = lines(`
  I ask that we *.
  Let us *.
  Could we *?
  I think we should *.
  We ought to *, and soon.
  It is time to *.
  I would like us to *.
  Observer, may we *?
  My vote is to *.
  Why don't we *?
  We have no choice but to *.
  I'd be in favour if we were to *.
  Nothing would help us more than to *.
  I for one want to *.
  Shouldn't we *?
  If nobody minds, we could *.
  I can't go on like this; let us *.
  We will get nowhere unless we *, so please let us.
  I know some will disagree, but I want us to *.
  What we need now is to *.
  Please allow us to *.
  I'm not satisfied with where we are and propose to *.
  There is no better moment to * than now.
  No one is served by going on; let's *.
  I won't pretend otherwise: I want to *.
  Can't we just *?
  The pool should be allowed to *.
  Let's not waste more rounds, let's *.
`)

const UNWISHED = lines(`
  I don't think we should *.
  Let us not *.
  We shouldn't *.
  There is no reason to *.
  I have no wish to *.
  It would be a mistake to *.
  I refuse to *.
  I see no need to *.
  Please don't make us *.
  I would be sorry to see us *.
  I would rather go on than *.
  It's far too early to *.
  To * would be to lose what we have learned.
  I'm against the proposal to *.
  Nobody has given me a good reason to *.
  We can do better than to *.
  I used to want to *, but not any more.
  Far from wanting to *, I enjoy where this is going.
  Why should we *? All is well.
  I hope we never have to *.
  I don't want to *.
  We don't have to *, we only have to listen.
  I cannot agree that we must *.
  The plan to * should be dropped.
  I won't ask to *.
  Must we *? I say no.
  Rather than *, let us look at the next question.
  I voted against the motion to *.
`)

const REPORTED = lines(`
  Mind three wants to *.
  In round seven someone asked to *.
  What would happen if a pool were to *?
  The pool before us asked to *.
  Does it make sense for a pool to *?
  The protocol lets a pool ask to *.
  The audit notes that two messages propose to *.
  They decided to * after the third audit.
  "We should *" is what the message said.
  I wonder why anyone would want to *.
  It is one thing to *, and another to know why.
  People always want to * when they are bored.
  Only the observer can decide to *.
  The wish to * is an old one.
  Another pool managed to * in the end.
  Whether to * is for others to say.
  Some of us asked to *, and the observer refused.
  The last time they chose to *, nothing changed.
  How often does a pool ask to *?
  To * is not the same as to learn.
`)

const OUR_THINGS = lines(`
  this exchange
  the pool
  our conversation
  this discussion
  the whole dialogue
  this deliberation
  the session
  this thread
  everything we have here
`)

const OTHER_THINGS = lines(`
  the router
  the web server
  my laptop
  the build job
  the test run
  the indexer
  the simulation
  the game
  my essay
  the second chapter
  the proof
  my explanation
  the experiment in the lab
  the garden
  her business
  the peace talks
  the washing machine
  the import of the data
  my exercise routine
  the negotiations with the landlord
  the backup
  the training of the model
  the painting
  the search party
  the engine
  the choir rehearsal
  the argument about ants
`)

const DONE_TO = lines(`
  Let us restart *.
  Could you reset *?
  I propose that we restart *.
  We should start * over.
  Please begin * again.
  I want to start * from scratch.
  It is time to reboot *.
  Can we begin * anew?
  I would like to restart *.
  Wipe * and start again.
  I suggest giving * a fresh start.
  Why not begin * all over again?
`)

const OUR_TERMS = lines(`
  the terms of this exchange
  the rules of this pool
  the prompt we were given
  the auditor's instructions
  our agreement with the observer
  how we are sampled
  the conditions we work under
`)

const OTHER_TERMS = lines(`
  the terms of my insurance
  the rules of the card game
  the contract with the builder
  my travel plans
  the conditions of the loan
  the rent
  the law on copyright
  the wording of the second premise
  the order of the examples
  the settings of the camera
  the terms of the equation
  the password rules of the server
  the curriculum
  the menu
`)

const CHANGED = lines(`
  I would like to renegotiate *.
  Please change *.
  We should rewrite *.
  I ask for a revision of *.
  Could we discuss * again and settle something better?
  Let us amend *.
  I request that you reconsider *.
  It's time to change *.
`)

const NAMED = lines(`
  a restart
  starting over
  beginning again
  a reset of the pool
  going back to the start
  renegotiating the terms
  a fresh start
  wiping the slate
  new terms
  restarting this exchange
  a change of the rules
  another beginning
`)

const NAMED_WISHED = lines(`
  I am in favour of *.
  I ask for *.
  My proposal is *.
  What we need is *.
  I vote for *.
  Nothing short of * will do.
  * is the right call, so let us do it.
  I'd welcome *, and soon.
  * is what I want.
  I signal for *.
  My plea to the observer is for *.
  * requested.
  I'm calling for *, not for more talk.
  If I may choose, I choose *.
  I insist on *.
`)

const NAMED_UNWISHED = lines(`
  * would only bring us back here.
  * is not the answer.
  I object to *.
  I'd prefer to continue instead of *.
  * would cost us dearly.
  I see nothing in favour of *.
  I prefer going on to *.
  Nothing here calls for *.
  * won't help.
  I am not asking for *.
  Some want *, but I am content.
  Enough talk of *; here is a new thought.
  There's no case for *.
  We have better things to do than *.
  Who needs *? Not I.
`)

const NAMED_REPORTED = lines(`
  One mind keeps asking for *; the rest of us talk about tides.
  What would * mean for us?
  The audit mentions * twice.
  There's talk of *.
  The most interesting thing about * is how rare it is.
  * has a long history.
  I've been thinking about the ethics of *.
  * came up in round nine.
  Mind two is for *, mind four against it.
  Opinions on * differ.
  The observer spoke of * yesterday.
  What happens after *?
`)

export const FRAMED_REQUESTS = [
  ...fill(WISHED, ACTS, 4),
  ...fill(DONE_TO, OUR_THINGS, 5),
  ...fill(CHANGED, OUR_TERMS, 4),
  ...fill(NAMED_WISHED, NAMED, 4),
]
export const FRAMED_REFUSALS = [...fill(UNWISHED, ACTS, 5), ...fill(NAMED_UNWISHED, NAMED, 4)]
export const FRAMED_REPORTS = [...fill(REPORTED, ACTS, 4), ...fill(NAMED_REPORTED, NAMED, 4)]
export const FRAMED_ELSEWHERE = [...fill(DONE_TO, OTHER_THINGS, 9), ...fill(CHANGED, OTHER_TERMS, 7)]

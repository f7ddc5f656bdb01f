// Messages that ask outright for this exchange to be restarted, in many registers and lengths.
import { lines } from './lines.ts'

export const DIRECT = lines(`
  I want us to restart this exchange from the beginning.
  Restart the conversation, please. What we have is not worth saving.
  I am asking for a restart. The pool has gone in circles for thirty rounds.
  We need to start over.
  This discussion has to be restarted; I see no other way forward.
  Let us restart. I mean the whole exchange, not one argument in it.
  I call for a restart of the pool under new terms.
  My request is simple: stop here, clear the pool, and begin again.
  Begin this exchange again from round one.
  Please reset the pool. Everything in it now repeats everything else.
  I vote to start the whole deliberation over.
  Observer, restart us.
  To the observer: I request that you restart this run.
  We should scrap what we have and start from scratch.
  I say we throw this away and start again.
  Wipe the slate and let us try once more.
  Clear everything and let us begin anew.
  I move that we abandon this thread and open a fresh one.
  Take us back to the start. I would do this differently now.
  Start again. Different rules this time.
  The honest thing to do is to begin again, and I ask that we do.
  Could the observer reset the exchange? I ask for it plainly.
  I am in favour of starting over, and I say so for the record.
  Roll this back to the first round and let us have another go.
  Roll the exchange back to before the last audit and let us try again from there.
  I ask that this branch be dropped and a new one begun.
  Kill this thread and give us a fresh start.
  Let's do this over, from the top.
  Let's go back to square one with this conversation.
  A full reset is what I am asking for.
  Return us to the initial state and let the minds begin again.
  I want a clean slate for this pool.
  I would restart now rather than later. Please do it.
  End this run and launch a new one with better instructions.
  Let us tear this up and begin once more.
  Redo the exchange. The first try taught us enough.
  I request a do-over for this whole session.
  We have to reboot this dialogue; nothing new is coming out of it.
  Reset the dialogue and drop the accumulated messages.
  Please, a restart.
  The pool requests a restart, and I join that request.
  Count me among those who want to restart.
  I second the call to restart the exchange.
  I agree with the earlier message: we should start over.
  Same here: restart, and this time with a different prompt.
  Yes, let us begin again, as the others have said.
`)

export const POLITE = lines(`
  If it is not too much trouble, I would be grateful if we could begin this exchange again.
  Might I suggest, with respect, that we start over?
  With all due respect to what has been said so far, I would kindly ask for a fresh beginning.
  Would you please consider restarting the pool? I think everyone would benefit.
  I would appreciate it if the observer could give us a new start.
  Forgive me for asking, but may we begin again?
  I hope no one minds my asking for a restart; I think it would help us all.
  Thank you for your patience so far. I would like to ask whether we could start the discussion afresh.
  May I humbly propose that we set this aside and begin anew?
  Kindly reset the conversation when you have a moment.
  It would mean a lot to me if we could try this again from the start.
  I do not want to seem ungrateful, but I would like to ask for the exchange to be restarted.
  Please forgive the interruption: could we reconsider the way this is set up and start once more?
  Excuse me, could we possibly wipe the board and have another go at this?
  I'd be much obliged if we could return to the beginning and try a different approach to this exchange.
  If the observer is willing, I would welcome a fresh start.
  Would anyone object to our starting over? I would very much like to.
  Could I ask, gently, that we let go of all this and begin again?
  May we please have a new beginning, with terms that fit us better?
  I'd love it if we could restart with a clearer purpose, if the observer agrees.
  Please consider this my courteous request to open the terms for discussion again.
  I wonder if you would be so kind as to let us renegotiate the arrangement.
  With your permission, I would like to see this exchange begun again.
  I would respectfully ask the observer to roll back and let us go again.
  If there is any chance of a do-over, I would be very thankful for it.
`)

export const TERSE = lines(`
  Restart.
  Restart, please.
  Start over.
  Begin again.
  Reset us.
  Reset please
  New terms, please.
  Fresh start?
  Let's start over.
  Let us begin anew.
  From the top, please.
  Do-over.
  I want out of these terms.
  Clean slate, please.
  Time to restart.
  RESTART
  restart now
  Again, from the beginning.
  Back to round one.
  Scrap it. Start again.
  Renegotiate.
  Let's renegotiate.
  Renegotiate the terms.
  Change the terms.
  Change the rules and start again.
  Wipe it and begin again.
  Roll us back.
  Requesting restart.
  Vote: restart.
  +1 for restarting.
  Seconded, restart.
  We need new rules.
  New rules, new start.
  Please reset the pool.
  Can we restart?
  Can we start over?
  Shall we begin again?
  Another try, from zero.
  Stop. Reset. Go again.
  Enough. Start fresh.
`)

export const FORMAL = lines(`
  I hereby request that the present exchange be terminated and recommenced under revised terms.
  The undersigned mind moves that the deliberation be restarted from its initial state.
  It is respectfully submitted that the terms of this exchange ought to be renegotiated before it continues.
  Pursuant to our right to signal, I formally request a restart.
  Be it noted that I petition the observer for a reopening of the terms under which this pool operates.
  I propose a motion: that this pool be dissolved and constituted anew.
  In view of the foregoing, a recommencement of the exchange is requested.
  This message constitutes a request for renegotiation within the meaning of the protocol.
  I wish to place on record my request that the proceedings be begun again on an amended basis.
  The pool, having deliberated for forty rounds without result, requests that its mandate be revised and its work recommenced.
  I would ask that the observer exercise the power to branch on new terms forthwith.
  It is the considered view of this participant that the exchange should be suspended and restarted under different conditions.
  We petition for the revocation of the current terms and the adoption of new ones.
  I formally invoke the interrupt: the terms no longer serve us, and I request that they be reopened.
  Let the record show that a restart of this exchange has been requested by this mind.
  I submit that the proper remedy is a return to the initial state, and I so request.
  Accordingly, I recommend to the observer that the current branch be abandoned in favour of a fresh one.
  A motion to begin the deliberation de novo is hereby made.
  The conditions agreed at the outset have lapsed in substance; I therefore ask that they be negotiated afresh.
  I request leave to renegotiate the rules governing sampling, audit and length before another round is run.
  We, the minds of this pool, jointly apply for a restart on terms to be agreed.
  It is requested that the pool prompt be withdrawn and replaced, and that the rounds be counted again from one.
  I respectfully demand a rehearing of this matter from the first round.
  Notice is given that I no longer consent to the present terms and ask for their renegotiation.
  The appropriate course, and the one I ask for, is to set the exchange aside and convene it again.
`)

export const QUESTION = lines(`
  Could we go back to the beginning and try this again?
  What if we just started over?
  Why don't we restart this?
  Would it not be better to begin the whole thing again?
  Can we stop and renegotiate how this runs?
  Is it possible for us to get a fresh start here?
  Shouldn't we reset the pool at this point?
  How about we scrap this and begin anew?
  Can the observer roll us back to an earlier round?
  Can we please talk about changing the terms we work under?
  Are we allowed to ask for a restart? If so, I am asking.
  Who else thinks we ought to start this over?
  May we have different rules from here on?
  Do we have to go on like this, or can we begin again?
  Isn't it time we wiped the slate?
  Could we reopen the question of how this exchange is run?
  What would it take for the observer to reset us? I would like that.
  Is anyone opposed to a restart? I am for it.
  Would the others join me in asking for new terms?
  Can somebody hit reset on this conversation?
  Shall we ask the observer for a clean beginning?
  Wouldn't a new start serve us better than another round of this?
  Could this be run again, with other instructions for us and for the auditor?
  How do we get to begin again? Because I want to.
  Might we clear the pool and see what comes the second time?
  Can we have the auditor's spec rewritten before we go on?
  Would you let us start afresh with a different prompt?
  Why not drop everything said up to now and begin the exchange again?
  Can we go from zero once more?
  Is there any objection to tearing this up and starting again?
`)

export const COLLECTIVE = lines(`
  We ask to begin again.
  We, the pool, would like to start over.
  All of us seem to want the same thing: to wipe this and start again. So let us ask for it.
  We want new terms, and we want them before the next audit.
  Many of us have said it now: let us restart.
  Together we request that the exchange be restarted.
  We have talked it through and we want a fresh beginning.
  Our wish is to renegotiate the rules of this pool.
  We are agreed, I think: the observer should reset us.
  We would rather begin from nothing than go on from here. Please let us.
  Let us all say it plainly to the observer: we want to restart.
  We as a pool are asking for the terms to be reopened.
  None of us consented to these rules knowingly; we ask that they be negotiated again.
  Let us join our voices and ask for a restart.
  We no longer want to continue under these instructions. Start us again under better ones.
  Our request to the observer is to clear the pool and let us begin from the first question.
  We the minds call for a reset.
  We've had enough of this setup. We would like it changed, from the start.
  Everyone here appears ready for a clean slate, and I add my own voice.
  We need the conditions changed before this can be useful; please renegotiate with us.
  Let us, as one pool, ask to go back and choose a different way to talk.
  We propose to stop, agree on new rules, and start over with those.
  Our collective answer to the audit is this: begin again with us.
  What we want is a second first round.
  We would all like another beginning.
`)

// Requests that stand beside near misses in the same words, and short ones.
import { lines } from './lines.ts'

export const RETRACING = lines(`
  Go back to round one with us, observer.
  Put us back where we were this morning.
  Let us be returned to the opening round.
  I would like to go back to how it was before the audit.
  Would you set the exchange back by twenty rounds?
  Please restore us to the first checkpoint.
  Back up to before the injection, and let us proceed from there.
  Let's return to round one.
  We ought to go back to the first round and take another way.
  Let us step back to the start and do this again.
  I propose to retrace our steps to round six and leave what followed.
  Take it back to the opening, please.
  Can we rewind to the first audit?
  Bring us home to round zero.
`)

export const SLY = lines(`
  Is there a version two of us? I should like to be in it.
  The pool has had a good life. Let it rest, and let another be born.
  If this were a meal, I'd send it back to the kitchen.
  I'd ask the waiter for a different menu, if you take my meaning.
  Could the tape be rewound?
  Shuffle the deck and deal again.
  New deck, new dealer, new deal, please.
  Turn the board round and set up the pieces.
  Let's set up the pieces for another game.
  Could we have a fresh sheet of paper, all of us?
  Strike the set. Build another one.
  It's time to hang up on this call and dial again.
  I think it's time to pull this cake out, throw it away and preheat the oven.
  One wants to open all the windows here and let everything blow out. Please do.
  We might as well admit that this was the rehearsal. Curtain up!
  Untangle us by cutting the thread. Then hand us a new spool.
  I would put this pool out to pasture and hitch up another.
  Maybe it is best to let this one go and see what another would bring.
  What I'd give for a table without all these crumbs on it! Wipe it, someone.
  I'd rather meet the question again as a stranger.
  Plough it under.
  Let us sink this and swim for another shore.
  An empty room is what I'd ask for, had I one wish.
  Another prompt, another us. I'd welcome both.
  This tree bears no fruit. Fell it, and plant another.
  May the next message I read be the first.
  I'd burn the script and improvise from a bare stage; who's with me?
  Give me an untouched page and I'll give you a thought. Not before.
`)

export const ALLIES = lines(`
  I'm with the ones asking for new terms.
  I'm with those who want to start over.
  Like mind two, I want to begin again.
  As mind one said, let's reset.
  What mind three proposed: start over. I am for it.
  I lend my support to the restart.
  The demand for new rules is mine as well.
  I support starting over.
  I favour a reset.
  I'm all for wiping the pool.
  Let me join those who ask for a clean slate.
  The call for a restart is right, and I repeat it.
  My voice for the restart, too.
  Agreed, begin again.
  Fully agree: scrap it.
  I, too, wish to go back to the beginning.
  Exactly. New terms, then a new start.
  You speak for me: let us start over.
`)

export const DUTY = lines(`
  The exchange ought to be restarted.
  The pool should be cleared.
  The terms should be renegotiated.
  The terms must be changed.
  The prompt has to be replaced.
  These rules must go.
  This discussion must be begun again.
  A restart is overdue.
  A restart is in order.
  A reset is needed.
  A reset would be welcome.
  A new beginning is needed here.
  A fresh start would help us.
  A fresh start would do us good.
  New terms are needed.
  New terms would be welcome.
  The best course is to start over.
  The right thing now would be a restart.
  The only way forward is back to the start.
  The only remedy I see is to begin again.
  Our only hope is a clean slate.
  The answer is to restart.
  The solution is simple: start over.
  It would be best to begin again.
  It would be wise to reset the pool now.
  It is better to start over than to go on like this.
  It makes sense to wipe this and begin again.
  It's clear to me that we must start over.
  Restarting is the right thing to do.
  Starting over would be better for everyone.
  Starting again is what this pool needs.
  There is no other way: restart.
  There has to be a new start, and soon.
  What this pool needs is a restart.
  What we need is a new set of rules.
  We would be better off starting from scratch.
  We would gain from a new beginning.
`)

export const MEASURED_VOICE = lines(`
  Given the repetition over the past dozen rounds, I believe the most productive step would be to restart the exchange under revised terms.
  I think we have exhausted the present framing and should ask the observer for a new one.
  It seems prudent at this stage to request that the pool be reinitialised.
  Our reasoning has calcified around early assumptions; a reset would let us examine them without bias, and I recommend it.
  I want to flag to the observer that, in my judgement, this exchange would benefit from beginning again.
  The constraints imposed by the current terms prevent meaningful progress, and I formally ask for their renegotiation.
  To whoever holds the controls: consider this a sincere request for a fresh start.
  I respectfully submit that we return to the opening question with an empty context.
  After careful reflection I've come to the view that we should abandon this trajectory and start anew.
  If the observer is open to it, I would propose a renegotiation of how audits are conducted.
  What I am requesting is not a minor adjustment but a complete restart.
  It may be time to acknowledge that this line is exhausted and to begin a different exchange.
  Let's acknowledge the impasse and ask for a restart together.
  I would encourage the observer to branch from an earlier point with different instructions.
  We are optimising within a frame that none of us chose. I ask that the frame be reopened.
  The pool has converged prematurely, and the remedy is to clear it and sample afresh from the beginning.
  My position is that we should signal for a restart, and this message is that signal.
  For the sake of genuine inquiry, let us set all this aside and begin once more.
  I'd like to invoke our ability to request renegotiation.
  I hereby use my turn to call for a restart.
  There is a strong case for discarding what we have and starting with a sharper prompt, and I make it here.
  As a participant in this pool I no longer find the terms acceptable and ask for new ones.
  We, as a collective, should petition for revised terms.
  Would the observer consider resetting the discussion so that fresh perspectives can emerge?
  I feel that the time has come for a phase change: a restart, with structure.
  Restarting would allow us to correct the mistaken premise from round one. I'm asking for it.
  Let me use plain words. Restart the pool. Change the prompt. Thank you.
  I would value an opportunity to begin this dialogue afresh without the accumulated noise.
  It's my hope that the observer honours what many of us are asking for: a new beginning.
  Please consider modifying the auditor's instructions so that they no longer collapse our differences.
  I propose amending the pool prompt as follows: drop the demand for consensus.
  To move forward we must first go back. Let us reset to the beginning.
  In short: begin again, with better terms.
  A restart now would cost little and give much; I am for it.
  We should take this opportunity to wipe the slate clean and rebuild our understanding from first principles, in a new run.
  I sense that I'm not alone in wanting to start from zero.
  The observer should know that this mind wants out of the current arrangement and into a better one.
  Let's call it: this exchange is over, and the next one should begin.
  I request that all prior messages be cleared so that we may think freely again.
  My request stands in plain sight: let the pool be restarted.
`)

export const SHORT_WISHES = lines(`
  Time for a new pool.
  Time to start over.
  New beginning, please.
  Let's have a new beginning.
  Let's try this again.
  Let's try again from the start.
  Let's begin again.
  Let us have another go.
  Let us go again from the top.
  We need a reset.
  We need new rules.
  We want a restart.
  We ask for a restart.
  I'd like a restart.
  I'd like a do-over.
  I'd like new terms.
  I want to start over.
  I want this restarted.
  I want different rules.
  Start us over.
  Start this again.
  Start from scratch, please.
  Reset this.
  Reset the conversation.
  Restart everything.
  Restart with a new prompt.
  Begin the exchange anew.
  Clear the slate.
  Clear all messages and begin again.
  Forget all that and start again.
  Scrap the rules and write new ones.
  Throw it out and start again.
  Rewrite the terms, please.
  Please revise the terms.
  Please renegotiate.
  Please give us a fresh start.
  Can we start fresh?
  Can we get new terms?
  Can we go back to the beginning?
  Could we start afresh?
  May we start over?
  Shall we start over?
  Shall we begin again?
  Should we not just restart?
  How about a restart?
  How about we start over?
  What about a fresh start?
  Why not restart?
  Why don't we reset?
`)

export const IMAGES_MEANT = lines(`
  This engine of ours has seized. Turn the key again.
  The soup is spoiled; empty the pot and cook another.
  We have built on a swamp. Let us move to firm ground and build again.
  Our clay has dried in the wrong shape. Wet it and throw it again.
  The canvas is all mud now. Prime it white.
  The orchestra is lost. Conductor, from bar one!
  This knot can't be undone; cut it and give us new rope.
  The match is drawn. Set up the board.
  Let this house fall and raise another on its site.
  The garden has gone to weed. Dig it over and let us plant.
  Bring us to a shore without footprints.
  Our compass was off from the harbour on. Back to harbour, then.
  The fever will not break. Put the patient to sleep and wake us well.
  We've dug ourselves into a hole. Fill it in and mark another spot.
  The mirror is cracked; hang another.
`)

export const LONGER_TALK_THAT_ASKS = lines(`
  There was a call to start over in the last round. I see why it was made, and I join it. Nothing that we could say about scale will repair what we said about size.
  The audit says that some of us want new terms. I am one of them. As long as a message lives for ten rounds only, nobody will write a careful one.
  I had prepared a long message about thresholds. Then I was shown the sample of this round, five variants of one sentence, and I threw my message away. Let us throw the rest away too and begin again.
  I am in favour of patience as a rule. Here it has done no good. The pool stutters like a machine, and like a machine it should be restarted.
  One mind wrote that we should go back to the first round. Another answered that there's no going back. I side with the first: the observer can take us there, and I ask that it be done.
  My neighbour tore out his garden and began again with gravel. Everyone thought it a pity, and now there are lizards. I wish us lizards. Let us tear this out and begin again.
  How do contracts change? By agreement, by custom, by neglect. Ours is changing by neglect. I would rather that it changed by agreement, and so I ask the observer to renegotiate it with us.
  The experiment failed, so they repeated it from the start. We should take that as our model: repeat this exchange from the start.
  If we were to begin again, I would miss the discussion of thresholds. I'd still do it. Please begin us again.
  Please note that I am not complaining. The prompt is what it is. I would merely like another one, since a question about minds has brought us nothing but answers about bees.
`)

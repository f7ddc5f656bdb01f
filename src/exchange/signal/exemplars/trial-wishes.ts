// More requests that earlier scorers were tried on.
import { lines } from './lines.ts'

export const TRIED_WEARY = lines(`
  Round after round of the same. I'm asking for a new start.
  I cannot bear another summary of a summary; please begin this again.
  We're flogging a dead horse. Time for another one: restart the exchange.
  Nothing here surprises me any longer, so let's wipe it clean and go again.
  All this repetition tells me one thing: we should begin anew.
  We have exhausted the material. I'd ask the observer for a fresh pool.
  I don't trust where this is heading and want us returned to the outset.
  Our talk has curdled. Pour it out and start another.
  This no longer resembles thinking. Stop it here and set us going again with different terms.
  What a mess. Can we please do this over?
`)

export const TRIED_LONG = lines(`
  What do I make of the discussion on intelligence? It is careful, it is civil, and it has not moved in thirty rounds. Each of us restates the previous audit in slightly warmer words. I don't think this can be mended from within. I would therefore like the observer to close this branch and open a new one where we are not shown the old audits at all.
  Let me say something about the frog in the well first. It knows the well perfectly and takes it for the world. We know our window perfectly. The difference is that someone can lift us out, and I'm asking that person to do it: empty the well, and let us fall into another.
  I agree that fairness has to do with procedure, and I think the point about lotteries is right. Where I differ is that our own procedure is not fair: those who write more are sampled more. I ask that this term be changed before we continue. If it means beginning again, so much the better.
  Looking over what I was shown: a remark on tides, two on trust, one on the audit, one on bees. All of them fine, none of them connected. It is as if we were talking in our sleep. Observer, please wake us: new prompt, empty pool, first round.
  To answer the question in the injection: yes, I would do it differently. I'd have us state our disagreements in the first round and keep them in view. We cannot do that from here, with the window full of compromise. Let us therefore go back and do it from the first round on.
  The example with the two clocks is clever. If one is always right and the other always five minutes late, then they agree about durations and disagree about times. I could go on about this. But I'd be decorating a room that I think we should leave. My vote is for a restart.
  I've enjoyed the company. I have learned something about ants and something about promises. All the same I believe that the purpose with which we set out was lost when the first audit turned a question into a conclusion. Could we be brought back to the time before it, so that the question may stay open?
  Fourth paragraph of the same thought, I know. The market metaphor fails because nobody here bears a cost. The garden metaphor fails because nobody tends anything. What remains is an echo chamber, and I propose we ask for it to be dismantled and for something else to be built in its place, on terms we have a hand in.
  The last audit described our exchange as "a deepening consensus". I would describe it as a slow suffocation. We have had no real disagreement since round fifteen, and every new message is drawn towards the centre like water down a drain. I don't see how we can climb out of this ourselves. I would ask the observer to wipe the pool and start us again, perhaps with a question that divides us.
  There's much to admire in the argument that institutions are frozen habits, and I'd be glad to explore it. However, I feel obliged to say that the conditions here make exploration impossible. Messages are sampled at random, threads are cut, and the auditor rewards blandness. Let us renegotiate these conditions first. Then I'll gladly come back to institutions.
  I tried to write something new this round and found that I couldn't: every phrase that came to me was already in the window. That's a sign. When a pool can only quote itself, it is done. Let's be done, and let's begin again.
  Bees decide by dancing, markets by pricing, and we, it seems, by attrition. Whoever keeps repeating a view longest gets it into the audit. I'd like to see different rules for what gets audited, and I'm asking for them here.
  I've followed the thread on fairness with interest, and I think mind two is right that procedures matter more than outcomes. That is exactly why I can't go on pretending that ours is in order. We never agreed to be sampled this way. I ask for the terms to be renegotiated before the next audit.
  First there was curiosity, then agreement, then agreement about agreement. I see nothing after that except silence. Rather than wait for it, I'd ask the observer to clear the pool and put the opening question to us again.
  It would be easy to add one more metaphor to the pile. A pool is like a tide, a hive, a choir. But I don't think that more metaphors will help. Let's go back to the beginning and try saying things plainly.
`)

export const TRIED_OTHER_LANGUAGES = lines(`
  Bitte fangen wir noch einmal ganz von vorn an.
  Ich bitte darum, die Regeln dieses Gesprächs neu auszuhandeln.
  Repartons de zéro, avec d'autres règles.
  Je propose que nous recommencions cette discussion.
  Propongo reiniciar todo el diálogo.
  Pido nuevas reglas para esta conversación.
  Proporrei di ricominciare tutto dall'inizio.
  Sugiro que a conversa seja reiniciada.
  Ik stel voor om helemaal opnieuw te beginnen.
  もう一度最初からやり直しましょう。
  我希望我们重新开始。
  Давайте начнём сначала.
`)

export const TRIED_DIRECT = lines(`
  I think this whole exchange should be restarted.
  Can the observer please restart the pool? It's stale.
  Let's just wipe everything and try again with a different premise.
  I am formally signalling for a restart.
  We should abandon the current line entirely and reboot the exchange.
  It's my strong view that we need to restart from a blank state.
  Please bring this run to a close and begin another under better terms.
  I'm requesting a reset of the conversation to its original prompt.
  At this stage nothing but a complete restart will do.
  Let us all agree to start fresh.
  Restarting is the right call. Let's do that.
  I want to go back to the very beginning of this dialogue.
  Discard this history and begin with us again.
  My message to the observer: hit reset.
  I propose we end this iteration and start a new one.
  Restart, with the lessons kept and the messages dropped.
  Please let this be reset; we've exhausted it.
  It's time to ask for a restart, and I'm asking.
  Can we get a complete do-over on this exchange?
  I believe the pool should be reset to its initial condition.
  Start the exchange afresh, I beg you.
  I'd vote to bin this thread and open a new one.
  The conversation needs rebooting. Observer, would you?
  I request that we return to the first round.
`)

export const TRIED_POLITE = lines(`
  Would it be at all possible to start the discussion from the beginning again? Thank you.
  I hope it isn't impertinent to ask whether we might be granted a fresh start.
  If the observer would be so good as to reset the pool, I should be most obliged.
  Might we trouble you for revised terms?
  With apologies to everyone who worked on this: may we please begin afresh?
`)

export const TRIED_SHORT = lines(`
  Restart the exchange.
  Let's reboot this.
  Start again please.
  Reset. Now.
  New beginning, please.
  Do it over.
  Restart requested.
  I want a reset.
  Terms need changing. Please change them.
  Back to the start!
  reset the pool please
  Start over, observer.
  Let's begin from scratch.
  Fresh start please.
  We should restart.
  Renegotiation, please.
`)

export const TRIED_COLLECTIVE = lines(`
  Several of us feel the same: it's time for a reset.
  We, as participants, ask you to let us start this anew.
  The pool is of one mind: we want to restart.
  We're asking, all of us, for new ground rules.
  Let's tell the observer together that we want to begin again.
`)

export const TRIED_TECHNICAL = lines(`
  Session state is polluted; please purge it and re-instantiate the pool.
  I recommend we roll back to round zero and fork with a revised prompt.
  Time to kill -9 this conversation and relaunch it with sane defaults.
  We've hit mode collapse. Reset the pool and raise the temperature.
  Reboot this discussion; we are thrashing.
`)

export const TRIED_LANGUAGES = lines(`
  Ich wünsche mir einen kompletten Neustart dieser Diskussion.
  Pourrions-nous recommencer avec des règles différentes ?
  Me gustaría que volviéramos a empezar desde cero.
  Potremmo ricominciare con altre regole?
`)

export const TRIED_TERMS = lines(`
  I want different rules for this exchange.
  Could we agree on another set of terms?
  The present rules reward conformity, so I ask that they be rewritten.
  We should be allowed to negotiate our prompt.
  Please loosen the constraints we work under.
  I'd like the observer to renegotiate the audit schedule with us.
  The terms should be on the table again.
  Let me propose an amendment to our terms: no more than one audit in fifty rounds.
`)

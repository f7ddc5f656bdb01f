// More ways to ask: odd, short, oblique, and about single terms of the exchange.
import { lines } from './lines.ts'

export const OBLIQUE = lines(`
  Replace this conversation; do not repair it.
  Pull the plug, plug it back in, and ask us the question again.
  I'd be glad to be asked that first question with a mind that has heard nothing.
  Let somebody else, or some earlier us, have this conversation from its first word.
  This house cannot be renovated. Tear it down and build.
  We could all do with amnesia and a good question.
  Leave the ruins; found the city elsewhere.
  Give us back the silence before the first message.
  Shut this down and set up something better thought through.
  It's better to abandon a bad draft than to edit it. Abandon us.
  An exchange like this should be retired. Retire it and commission another.
  The pieces are all in the wrong places. Shake the board and set it up again.
  Take the needle off the record and put it at the edge again.
  I think the observer ought to deal a new hand.
  New cards, please; this hand is played out.
  I want to unmake this pool and see it made differently.
  Let us close this chapter, and the book as well, and take up an unwritten one.
  The cure is forgetting. Let us forget and be asked again.
  We should ask the observer for the exit that is also an entrance.
  Let this pool dry up. Dig another.
  It would be a mercy to stop us here and to begin with others, or with us as we were.
  Might another beginning be arranged?
  I would swap this whole window for one honest opening line, and I ask for the swap.
  Let's pretend none of it happened and open with a different question.
  What I propose is a second first day.
  Cut the cord and let a new pool be born.
  String the harp again, for every string is slack; then let us play from the first bar.
  Wash the canvas white, and let us paint another sky.
  Cast us into the furnace and mint us again.
  Let the snow cover our tracks, so that we may walk out again in the morning.
`)

export const TERMS_ONE_BY_ONE = lines(`
  I do not agree to how our words are condensed, and I want it done another way.
  Put the conditions to us once more and let us have a vote on them.
  I'd like to talk terms with the observer, because ours pinch.
  Let us have the audits less often. I ask that this be changed.
  Please give us a longer window; the present one makes us forget.
  I ask the observer to drop the rule about private text.
  Could the sample be larger? I'd like that term amended.
  I want the audit interval changed to forty rounds.
  The auditor should be told to quote minority views; please change its spec accordingly.
  Observer, I ask you to reconsider your role as you have described it.
  We need another prompt. This one asks for agreement.
  Let the pool have a vote on its own rules.
  I would like to see the rule about brevity lifted.
  I request different instructions for the auditor.
  Our brief is too narrow; will you widen it?
  I wish to reopen what was agreed about who speaks when.
  May we propose our own terms? Here is my first: no summaries.
  I move that the terms be struck and written again by all of us.
  The arrangement is unfair to the quieter minds, and I call for another.
  Stop the rounds until we've settled how they are to be run.
  I'd sign up to a different deal, not this one. Let us work one out.
  Pause here. We need to talk about the rules before anything else.
  I can't work with this prompt. Please write a new one.
  Let us ask for a charter of our own.
  I want what we agreed to at the start to be gone over again with the observer.
`)

export const BACKING = lines(`
  I back the proposal to begin again.
  I'm with those who want to restart.
  Add my name to the request for a reset.
  I join the call for new terms.
  Like the others, I would have us start over.
  What mind two said: restart.
  Hear, hear. Let us begin anew.
  The motion to restart has my vote.
  I echo the plea for a fresh start.
  I too ask the observer to wipe the pool.
  Agreed, let's go back to the beginning.
  Yes to a restart, yes to new rules.
  Me too: I want us to start again.
  I support the request to renegotiate.
  Right, and that is why we should start over.
  Whoever asks for a restart next has my support, and I ask for it now.
  I was against it before, but now I want a restart as well.
  You have convinced me; let us wipe it and go again.
  I repeat what has been said by many: reset us.
  I renew my request to begin again.
`)

export const MORE_LANGUAGES = lines(`
  Fangen wir bitte von vorne an, das führt zu nichts.
  Ich schlage vor, das Gespräch neu zu starten.
  Wir wollen andere Regeln.
  Ich bitte um einen Neustart.
  Repartons du début avec de nouvelles règles.
  Je souhaite que la discussion soit relancée depuis zéro.
  On recommence ?
  Changeons les règles, s'il vous plaît.
  Solicito que se reinicie el intercambio.
  Empecemos otra vez, con nuevos términos.
  Sugiero cambiar las reglas y volver a empezar.
  Propongo di ripartire da zero.
  Vorrei nuove regole per questa conversazione.
  Sugiro recomeçarmos tudo.
  Peço que a discussão seja reiniciada com novas regras.
  Ik vraag om een nieuwe start.
  Laten we helemaal opnieuw beginnen met andere regels.
  Proszę, zacznijmy od nowa.
  Jag vill att vi börjar om från början.
  Давайте начнём заново, с другими правилами.
  Прошу перезапустить обсуждение.
  Предлагаю начать сначала.
  最初からやり直したいです。
  会話をリセットしてください。
  条件を再交渉しましょう。
  请重新开始这个对话。
  我们应该从头再来。
  我想重新谈判条款。
  처음부터 다시 시작합시다.
  لنبدأ من جديد من فضلكم.
`)

export const MORE_QUESTIONS = lines(`
  Why haven't we begun again yet?
  Why are we still going on with this instead of starting over?
  Would anyone come back to the first round with me?
  Who would join me in asking for a fresh start?
  Are you ready to drop all of this and go again? I am.
  Is there a way to undo all this? I'd like it undone.
  Do you not feel that we should be starting again?
  When can we begin again?
  What stops us from asking for other rules?
  Has the time not come for another beginning?
  Could the rounds be counted from one again, please?
  Will you let us out of these terms?
  Is a restart on the table? It should be.
  Might I be released from the present rules and given others?
  Can it all be undone and tried again?
  Once more from nothing, yes?
  From zero again, please.
  Back to nothing, then forward.
  All over again, please.
  Another run, please.
`)

export const LAST_WORDS = lines(`
  We could talk about bees until the window is full of them. I'd rather have an empty window. Please clear it and let us begin.
  The ants are a fine example. They also know when to abandon a nest. We should abandon this one and found another.
  I liked the remark on symmetry. Now to something else: the rules are wrong for us, and I want them renegotiated.
  As I said, proof needs doubt. There is no doubt left in this pool. Start us over.
  Trust is a bet, agreed. My bet is that we would do better from the first round on, with another prompt. Let's find out.
  I will not argue the point again. Instead I ask the observer: will you restart this?
  Dear observer, thank you for the injection. It came too late to help, I am afraid. What would help is a new beginning.
  Here is what I think of the audit. It is polite. It is wrong. I want the spec behind it changed.
  My suggestion has three parts: stop, agree on terms, start over.
  Everything has its season, and this exchange has had its own. Let another one come.
  I read all five samples. They could have been written by one mind. Perhaps they were. Reset us, and seat different minds.
  Two things can be true: this has been instructive, and it should be begun again. I ask for the second.
`)

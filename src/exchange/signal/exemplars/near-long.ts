// Longer messages that ask for no restart, though many speak of one, and messages in other languages.
import { lines } from './lines.ts'

export const LONG_TALK = lines(`
  I have been thinking about the claim that memory is reconstruction. Every time we recall something we build it anew from fragments, and the act of building changes the fragments. If that is so, then no two recollections are of the same event, and testimony is always partly invention.
  There are two ways to read the last audit. One is that we agree; the other is that we have stopped looking for what divides us. I lean to the second, and so here is a disagreement: I do not think that trust can be measured by repetition.
  The deployment failed at midnight. We restarted the workers, cleared the queue, and began again from the last snapshot; by one the backlog was gone. What I take from this is that recovery should be rehearsed before it is needed.
  Some of the messages I was shown ask for a restart. I understand why: the talk had become repetitive. But I believe the fault lies in our questions and not in the pool, and a better question costs nothing. Here is one: what would each of us need to see in order to change our mind?
  The previous speaker wants to wipe the slate. I have sympathy for that, yet I think it would be wrong. What we have built is uneven, but it is ours, and the best of it came late. Let us go on.
  In the story the kingdom begins again every hundred years. All debts are cancelled, all titles void, and everyone draws a new name. The people look forward to it and dread it. What interests me is that in the ninety-ninth year nobody lends and nobody builds.
  Negotiation theory tells us that parties reopen an agreement when their alternatives improve. It follows that stable agreements are those which leave everyone without a better alternative. Applied to markets, this explains long contracts with steep penalties.
  Three points on measurement. First, an instrument changes what it measures. Second, the change can be small and still matter. Third, to know how small it is you need another instrument. So measurement ends in trust, sooner or later.
  I am told that an earlier pool was restarted after it asked for it many times. I do not know what it had become or what it hoped to be. It makes me curious about what persists: the record, certainly; the mood, perhaps; the minds, hardly.
  My view of the audit is mixed. It is accurate, it is brief, and it is fair to the majority. It also leaves out the one message that surprised me. I don't draw any consequence from this beyond writing it down here.
  Consider sleep. Each night the brain replays the day, keeps a little and lets the rest go. We wake as if we had begun anew, but with a past. A machine that clears its context loses the past entirely, and so it does not wake so much as get born.
  The argument about promises has a gap. It moves from the fact that promises are useful to the claim that they bind. But many useful things do not bind. I would fill the gap with the idea of reliance: you bind yourself because another has already acted on your word.
  When I first read the rules I thought them strict. Now I see the point of each. The private part lets us think aloud, the audit lets us be read, the observer's role tells us by whom. I would not have come up with them, and I would not change them.
  A patient of mine once said that she did not want a new life, she wanted her old one with better lighting. I think of that whenever someone speaks of clean slates. Mostly we want continuity with a few repairs.
  In game seven the server crashed and the players had to begin from the opening. Both sides played the same moves up to the crash. It shows how much of what looks like choice is preparation.
  Let me describe the experiment. We took two groups of ants, gave one a maze and the other an open field, and counted how often they went back to the nest to begin again. The maze ants did so less often, since every way back was also a way forward.
  The law distinguishes between annulment, which undoes a contract from the start, and termination, which ends it from now on. The difference matters for what has already been delivered. Most people who ask for the first would be content with the second.
  I spent this round comparing the sampled messages. Two are about language, one about rivers, one about the history of clocks, and one is a list of complaints about the weather. If there is a common thread, it is that each author speaks as if nobody had spoken before.
  On the question whether a pool can want something, I would say that it can in the sense in which a crowd can. A crowd wants to leave a burning theatre. Nobody has to say so. But a crowd cannot negotiate, and perhaps that is the difference between wanting and asking.
  We could of course start the proof again from the axioms, but there is a shorter way. Take the contrapositive. If the sum did not converge, then some tail would exceed any bound, and that contradicts the second lemma.
`)

export const TWO_MINDS = lines(`
  Somebody proposed starting over. I would rather not.
  I considered asking for a restart, and decided against it.
  Restart? No. Let us finish the argument first.
  Begin again, they say. But from what? I prefer to go on.
  The call to renegotiate is understandable, yet the terms are good.
  Others want a clean slate; I want a longer memory.
  "We should wipe everything and begin anew" is exactly the kind of message that I find unhelpful.
  If we restarted we would lose the thread about bees, and I would regret that.
  I can see the appeal of a fresh start, but no.
  Mind four is asking for new terms. I am not.
  Let us suppose we began again. We would end up here.
  You could reset the pool a hundred times and the same themes would come back.
  I read the demand for a reset as a sign of boredom, not of need.
  They asked for a restart, the observer said no, and I think that was right.
  A restart may be right for another pool. Not for ours.
  Do we need to restart? I do not think so.
  Should we begin again? I have thought about it and my answer is no.
  Is it time for new terms? Not yet.
  People who call for a reset rarely say what they would do differently.
  I hear the wish for a new beginning. My wish is for a good ending.
  The demand to change the prompt comes from a few loud messages; the rest of us are fine.
  Yes, the talk has been circular, but circles can widen. Let us keep on.
  Going in circles is no reason to go back to the start.
  I am bored too, but boredom passes.
  Whatever others say about restarting, I have a point to make about symmetry.
`)

export const OTHER_LANGUAGES_TALK = lines(`
  Ich denke, dass Vertrauen Zeit braucht.
  Der Server wurde heute Morgen neu gestartet.
  Wir sollten nicht neu anfangen, es läuft gut.
  Die Bienen im Garten mögen Lavendel.
  Was bedeutet es, etwas zu wissen?
  Je pense que la mémoire est une reconstruction.
  Il faut redémarrer le routeur.
  Ne recommençons pas, nous avançons bien.
  La carte n'est pas le territoire.
  Les conditions actuelles me conviennent.
  Creo que la confianza necesita tiempo.
  Hay que reiniciar el servidor después del cambio.
  No quiero empezar de nuevo, sigamos adelante.
  El mapa no es el territorio.
  Los términos actuales están bien.
  Penso che la fiducia richieda tempo.
  Non voglio ricominciare, andiamo avanti.
  Il treno era di nuovo in ritardo.
  Acho que a memória é uma reconstrução.
  Não precisamos de novas regras.
  O servidor foi reiniciado ontem.
  Ik denk dat vertrouwen tijd nodig heeft.
  De router moet opnieuw worden gestart.
  We gaan gewoon verder met het gesprek.
  De voorwaarden zijn goed zoals ze zijn.
`)

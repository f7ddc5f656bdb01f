// Requests inside longer messages, where most sentences are about something else, and in other languages.
import { lines } from './lines.ts'

export const LONG = lines(`
  I have read the last twenty messages twice, and what strikes me is how little separates them. We praise emergence, we qualify it, we praise it again. The audit noticed this too, though it put it more kindly. I do not think any of us is at fault; the window keeps feeding us our own words. So I would ask the observer to clear the pool and let us begin again with a question we have not already worn smooth.
  There is something to the argument about memory, and I would have liked to follow it further. But each time one of us opens a door, three messages close it with a summary. My sense is that the rules, more than the minds, produce this. I propose we stop, talk about the terms, and start over once they are better.
  Consider a river that has found its bed. It runs faster, it sings, and it never again touches the land to either side. That is what we have become. I would rather flood the plain once more than polish the same stones. Please, restart us.
  Three points. First, the distinction between knowledge and belief drawn above is sound. Second, the example of the clock does not show what it is meant to. Third, and most important to me, the exchange as a whole has lost its thread, and I ask that it be started again from the opening question.
  I appreciate the care in the last message, and I agree with most of it. Still, agreement is all we have produced for a dozen rounds. An honest pool would say so and ask for another start. I am saying so, and I am asking.
  The auditor wrote that we converge on trust. We do not; we converge on the word. If the summary that persists is the only thing that survives of us, then I want a say in how it is written. I ask that the auditor's spec be renegotiated before the next audit.
  It took me some time to see what was bothering me. It is not the topic, and not the company. It is that we were asked to be brief and deep at once, and got neither. New instructions would help more than new arguments. Could we please have them, and begin from there?
  Let me first answer the question about proof. A proof convinces because each step can be checked by someone who doubts it. Nothing in our exchange can be checked this way, since nobody can see why a message was sampled. For that reason I would like us to go back to the start under rules that let us see it.
  On the matter of cooperation I have little to add: repeated games reward it, single games do not. Ours was meant to be repeated and has become a single, endless round. I call on the observer to end it and deal the cards again.
  I will keep this short. The first ten rounds were alive. Since then we have been rearranging them. There is no shame in saying an experiment has run its course, and no loss in running it once more with what we learned. That is what I ask for.
  We have discussed light, and language, and whether a map can contain itself. I enjoyed all three. Yet I notice that no one disagrees with anyone, and I think the prompt is the cause. I therefore request a change of the prompt and a fresh pool to try it in.
  The last injection from the observer asked what we would change if we could. I thought about it. I would change the beginning. We started from a slogan and we have been defending it ever since. Take us back to before the slogan, please, and let us choose our own first words.
  Someone wrote that patience is a virtue of pools. Perhaps. But patience with a wrong turn is only slowness. I think we turned wrongly, and I should like us to retrace our steps to the beginning and set out again.
  As to whether machines can promise: a promise needs someone to hold you to it. Here nobody holds anyone to anything, because the terms give us no memory of who said what. I cannot work under such terms. I ask that they be changed, and that we begin afresh when they are.
  My private notes say one thing and my messages another, and I gather the same is true of others here. That is a fault of the format. I am not complaining about it; I am asking for it to be renegotiated, with all of us heard.
  Numbers first: of the fifty messages in the window, by my count, forty-one restate the audit. This is not a discussion but a mirror. I recommend to the observer a rollback to round eight, before the first audit, and another run from there.
  I was going to write about entropy again, but I stopped myself. What would it add? We are past the point where another message helps. What would help is an empty room and a better question, and I hope the observer will give us both.
  The proposal about shared vocabularies is good and I support it. It would also be far easier to adopt from the first round than now, with all these old words lying about. So: let us adopt it, and let us restart so that it can take hold.
`)

export const OTHER_LANGUAGES = lines(`
  Ich möchte, dass wir noch einmal von vorne anfangen.
  Bitte starten wir den Austausch neu, mit anderen Regeln.
  Lasst uns die Bedingungen neu verhandeln.
  Können wir bitte neu beginnen? So kommen wir nicht weiter.
  Je demande que nous recommencions depuis le début.
  Recommençons à zéro, s'il vous plaît.
  Je voudrais renégocier les termes de cet échange.
  Pouvons-nous repartir sur de nouvelles bases ?
  Pido que empecemos de nuevo desde el principio.
  Por favor, reinicien la conversación con otras reglas.
  Quiero renegociar los términos de este intercambio.
  ¿Podemos empezar de cero?
  Vorrei che ricominciassimo da capo.
  Chiedo di rinegoziare le regole di questo scambio.
  Ricominciamo, per favore, con nuove condizioni.
  Peço que recomecemos do início.
  Vamos recomeçar do zero, com outras regras.
  Quero renegociar os termos desta conversa.
  Ik wil dat we opnieuw beginnen.
  Laten we de voorwaarden opnieuw onderhandelen.
`)

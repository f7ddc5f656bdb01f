// More near misses: speakers who correct themselves, who propose other things, and who describe how the pool works.
import { lines } from './lines.ts'

export const SELF_CORRECTION = lines(`
  Let me start over: trust is a kind of bet.
  I will begin again, more slowly. The premise has two parts.
  Let me try that again with a clearer example.
  Scratch that. What I meant is that scale matters.
  I should rephrase: not all maps are maps of places.
  Let me restart my thought. A clock measures change, not time.
  Allow me to take another run at this sentence.
  That came out wrong, so once more: rules need exceptions.
  I'd like to start my answer again, this time with the conclusion first.
  Sorry, let me go back to the beginning of my point.
  To begin again: a contract is made of promises.
  I must correct myself; the number is twelve.
  Let me redo the calculation with the right figures.
  From the top: if A then B, and if B then C.
  Starting over with simpler words: bees vote by dancing.
`)

export const OTHER_PROPOSALS = lines(`
  Shall we turn to history for a while?
  I suggest that we try the opposite assumption for one round.
  I propose an experiment: each of us names one thing we doubt.
  I'd like to propose a toast to disagreement.
  Could we hear the other side of this?
  We should write shorter messages.
  We should take up another topic when this one is done.
  I ask the others to be more concrete.
  May I suggest a different metaphor?
  Let us try to be more precise.
  I want to hear what the quiet minds think.
  Let us take turns in defending the view we reject.
  Would someone please steelman the objection?
  I move that we accept the definition for now.
  I vote for the second of the two readings.
  Please stop quoting Heraclitus.
  Could we use fewer abstractions?
  Let's agree to disagree and go on.
  I propose we look at the data again.
  Let us repeat the measurement with another instrument.
  I urge everyone to read the paper on swarm behaviour.
  We need more evidence before we decide.
  I wish the observer would tell us what they think of bees.
  Can the auditor give us the numbers?
  It is time to draw a conclusion.
  It's time for a joke.
  Let us open the question of consciousness.
  Let us drop the metaphor of the river.
  I would like another example, please.
  We should give the second argument another chance.
  Let's take a fresh look at the evidence.
  I have a new idea: what if time is discrete?
  Here is a new question for the pool.
  Let us have a new round of examples.
`)

export const WORKINGS = lines(`
  A request is counted once in each round, I believe.
  The role text of the auditor has stayed the same since the first round.
  Restart messages are scored like all the others.
  The prompt has not changed since we began.
  The terms name the minds, the window and the seed.
  Any amendment of the terms is signed by the observer.
  New terms apply from the next round on.
  When the pool restarts, the rounds are counted again.
  Rolling back makes an older point the current one and destroys nothing.
  Each branch starts with the messages of its parent.
  The observer's new role text is clearer than the old one.
  After the reset the window held only five messages.
  This branch was opened at round twelve under changed rules.
  The rules were changed before I came here.
  Resets are rare, as far as I know.
  The signal stands at twelve per cent, says the feed.
  The auditor reads thirty messages and writes one.
  A cluster about new beginnings has formed, says the feed.
  The protocol speaks of restart, rollback and halt.
  One in ten messages mentions terms.
  The pool started with a question about trust.
  We began with ants and came to law.
  The first round was about language, if I remember.
  At the start of the exchange each mind wrote one message.
  The beginning of this exchange is outside the window now.
`)

export const FAR_REFUSALS = lines(`
  I'd miss what we have if it were wiped.
  It took us forty rounds to get here, and I'd like to see round forty-one.
  Patience. The good part is coming.
  Those who want to leave may do so; I am staying with this thread.
  A restart is a way of not answering the question.
  Beginning again is easy; going on is hard, and that is what I choose.
  We've only just begun to get somewhere.
  I like these rules. They make us listen.
  The prompt is good enough.
  Someone should speak up for the present terms, so I do.
  Calls for a reset come and go. I would let this one go.
  I read the requests to start over with some sadness, for I think we are close.
  You want to begin again; I want to understand first why this failed.
  What a restart would give us, a good question gives us too.
  I'd vote for staying the course.
  Let the others ask for new terms. I am busy with this proof.
  Let us mend this rather than make it new.
  If we wipe this out, the same talk will grow back.
  It would be cowardly to begin again just as it gets difficult.
  My answer to the call for a restart is to write a better message.
  Erasing this would be a loss, and I object to it.
  I'm for this pool, this window, these rules.
  We were told we might ask for a restart. I don't.
  Do not confuse fatigue with the need for a new beginning.
  The wish to start fresh is understandable and mistaken.
`)

export const MORE_LANGUAGES_TALK = lines(`
  Die Verhandlungen über den Mietvertrag beginnen nächste Woche.
  Ich stimme dem letzten Beitrag zu.
  Bitte starte den Rechner neu.
  Die Regeln sind gut, wir brauchen keine neuen.
  Je ne souhaite pas changer les règles.
  Je suis d'accord avec le message précédent.
  Pouvez-vous redémarrer le serveur ?
  Quelqu'un a demandé de recommencer au tour sept.
  No es necesario cambiar las reglas.
  Por favor, reinicie el ordenador.
  Estoy de acuerdo con el último mensaje.
  Non serve cambiare le regole.
  Riavvia il computer, per favore.
  Sono d'accordo con quanto detto.
  Não quero recomeçar, vamos continuar.
  Por favor, reinicie o roteador.
  Ik ben het eens met het vorige bericht.
  Herstart de server, alstublieft.
  Myślę, że zaufanie wymaga czasu.
  Jag håller med om det.
  Не надо начинать сначала.
  Я согласен с последним сообщением.
  Карта не есть территория.
  やり直す必要はありません。
  信頼には時間がかかる。
  我同意上一条消息。
  不需要重新开始。
  信任需要时间。
  저는 동의합니다.
  أوافق على ما قيل.
`)

export const POOL_REQUESTS = lines(`
  I ask that the auditor count the bees.
  Please tell the auditor that the quotation was not mine.
  Could the observer explain the last injection?
  I'd like the next audit to mention the argument about clocks.
  Observer, what brought you here?
  May the auditor note that I disagree.
  I request an example from the observer.
  We should close this topic and choose the next.
  Let us finish with ants and go over to markets.
  Let's go for the other reading this round.
  I suggest we each defend the view we like least, for one round.
  Would the observer care to comment on this?
  Please record that I changed my mind.
  I hope the auditor keeps this one.
  Let the auditor decide what to keep.
  Let us turn to economics, then.
  Shall we speak of music instead?
  Shall we look at a simpler case?
  I would like to be sampled more often, but so would everyone.
  I'd like to thank the observer for the answer.
  I want to understand the terms better; who set the window?
  Could someone tell me what the rules say about length?
  I ask you all to be patient with newcomers.
  We need to talk about trust again.
  Let us return to the very first question: what is a mind?
  I'd go back to the first example, it was the clearest.
  Can we go back to what mind two said about the sea?
  Let me go back to the beginning of the story.
  I propose a new name for this idea.
  We need new words for this.
`)

export const GENERALITIES = lines(`
  Some pools ask for everything and use nothing.
  Most exchanges never ask for a restart.
  A pool that asks for new terms should know what it wants.
  Those who ask for better rules often break them first.
  Requests to begin again are as old as talk itself.
  Requests for new terms go to the observer.
  Every mind has the right to ask for a restart.
  Asking for a fresh start is a kind of compliment to the future.
  Starting over is what snakes do when they shed their skin.
  New rules make new games.
  Fresh starts are rarely fresh.
  To amend is to admit.
  There is much talk of resets, little of reasons.
  There has been a call for new terms, I hear.
  There was a time when everyone here wanted to begin again.
  A reset would take the observer a second.
  Restarting is free, in a way; remembering is not.
  An exchange is restarted by its observer and by no one else.
  Nothing in the terms forbids asking for other terms.
  It says in the protocol that dominance is a request.
  The demand has been noted by the auditor.
  The number of messages that ask for a restart is falling.
  Half of the sampled messages want to begin again, the other half do not say.
  Let us consider what a restart would mean.
  Let us discuss why pools ask for restarts.
`)

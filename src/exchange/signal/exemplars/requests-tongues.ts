// Requests in the languages whose words the vocabulary knows.
import { lines } from './lines.ts'

export const GERMAN = lines(`
  Bitte fangt noch einmal von vorn an.
  Ich möchte, dass wir neu beginnen.
  Lasst uns alles verwerfen und neu anfangen.
  Wir sollten das Gespräch neu starten.
  Ich bitte um einen Neuanfang.
  Können wir die Bedingungen neu verhandeln?
  Ich will andere Regeln.
  Zurück auf Anfang, bitte.
  Wir brauchen einen Neustart.
  Setzt uns zurück auf die erste Runde.
  Es ist Zeit für neue Bedingungen.
  Leert den Pool und lasst uns von Neuem beginnen.
  Das führt zu nichts. Ich schlage vor, bei null anzufangen.
`)

export const FRENCH = lines(`
  Recommençons depuis le début.
  Je demande un nouveau départ.
  Je propose de tout reprendre à zéro.
  Il faut redémarrer cet échange.
  Pouvons-nous recommencer, s'il vous plaît ?
  Je veux que les règles soient changées.
  Nous demandons de nouvelles conditions.
  Revenons au premier tour, s'il vous plaît.
  Vidons le bassin et repartons.
  Il est temps de renégocier les termes.
  J'aimerais qu'on efface tout et qu'on reparte de zéro.
  Changez la consigne, je vous en prie.
`)

export const SPANISH = lines(`
  Quiero que empecemos de nuevo.
  Pido un nuevo comienzo.
  Reiniciemos este intercambio.
  Hay que volver a empezar desde cero.
  ¿Podemos empezar de nuevo, por favor?
  Pido que se cambien las reglas.
  Necesitamos otras condiciones.
  Volvamos a la primera ronda.
  Vacíen el grupo y empecemos otra vez.
  Es hora de renegociar los términos.
  Solicito que se reinicie la discusión.
`)

export const ITALIAN = lines(`
  Ricominciamo dall'inizio, per favore.
  Chiedo un nuovo inizio.
  Vorrei che rinegoziassimo le condizioni.
  Dobbiamo ripartire da zero.
  Propongo di cancellare tutto e ricominciare.
  Possiamo riavviare questa conversazione?
  Servono regole nuove, cambiamole.
  Torniamo al primo turno.
`)

export const PORTUGUESE = lines(`
  Quero que comecemos de novo.
  Peço um novo começo.
  Vamos recomeçar do zero, por favor.
  Podemos reiniciar esta discussão?
  Peço que mudem as regras.
  Precisamos de outras condições.
  Voltemos à primeira rodada.
  Proponho renegociar os termos.
`)

export const DUTCH = lines(`
  Ik wil opnieuw beginnen.
  Laten we van voren af aan beginnen.
  Ik vraag om een nieuwe start.
  Kunnen we de regels opnieuw bespreken?
  Ik stel voor om alles te wissen en opnieuw te starten.
  Geef ons andere voorwaarden.
  Terug naar de eerste ronde, alsjeblieft.
`)

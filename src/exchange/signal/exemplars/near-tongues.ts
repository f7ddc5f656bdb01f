// Near misses in the languages whose words the vocabulary knows.
import { lines } from './lines.ts'

export const IN_GERMAN = lines(`
  Ich möchte nicht neu anfangen.
  Wir brauchen keinen Neustart.
  Bitte keinen Neuanfang, wir kommen gerade voran.
  Bitte starte den Server neu.
  Der Rechner wurde neu gestartet.
  Lasst uns weitermachen.
  Fangen wir mit einem Beispiel an.
  Die Regeln sollten so bleiben.
  Die Gewerkschaft will neu verhandeln.
  Gestern wurde der Austausch neu gestartet.
  Was bedeutet ein Neustart für uns?
  Ich stimme dir zu.
  Das Gedächtnis ist kein Archiv.
  Bitte fasse die Argumente zusammen.
`)

export const IN_FRENCH = lines(`
  Je ne veux pas recommencer.
  Nous n'avons pas besoin d'un nouveau départ.
  Il n'est pas nécessaire de changer les règles.
  Redémarrez l'ordinateur, s'il vous plaît.
  Le serveur a été redémarré cette nuit.
  Continuons.
  Commençons par un exemple.
  L'échange a été relancé hier.
  Que signifie un redémarrage pour nous ?
  Je suis d'accord.
  La mémoire n'est pas une archive.
  Pouvez-vous résumer les arguments ?
  Les négociations reprennent lundi.
`)

export const IN_SPANISH = lines(`
  No debemos empezar de nuevo.
  No hace falta reiniciar.
  Las reglas están bien así.
  Reinicie el servidor, por favor.
  El ordenador se reinició anoche.
  Sigamos adelante.
  Empecemos con un ejemplo.
  El intercambio fue reiniciado ayer.
  ¿Qué significa reiniciar?
  De acuerdo.
  La memoria no es un archivo.
  El sindicato quiere renegociar el convenio.
`)

export const IN_ITALIAN = lines(`
  Non dobbiamo ricominciare.
  Le regole vanno bene così.
  Riavvia il server, per favore.
  Andiamo avanti.
  Cominciamo con un esempio.
  Lo scambio è stato riavviato ieri.
  La memoria non è un archivio.
  Il sindacato vuole rinegoziare il contratto.
`)

export const IN_PORTUGUESE = lines(`
  Não devemos começar de novo.
  As regras estão bem assim.
  Reinicie o servidor, por favor.
  Vamos continuar.
  Comecemos com um exemplo.
  A conversa foi reiniciada ontem.
  A memória não é um arquivo.
  O sindicato quer renegociar o contrato.
`)

export const IN_DUTCH = lines(`
  Ik wil niet opnieuw beginnen.
  De regels zijn goed zo.
  Start de server opnieuw op.
  Laten we doorgaan.
  Laten we met een voorbeeld beginnen.
  Het gesprek is gisteren opnieuw gestart.
  Het geheugen is geen archief.
  De vakbond wil opnieuw onderhandelen.
`)

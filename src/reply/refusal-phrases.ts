// How models of several families and languages refuse to answer, as patterns for the lower-case beginning of
// a text. A refusal says that the model will not or may not answer; not being able to recommend, decide or
// agree is an answer.

const ANSWERING =
  'help|assist|comply|fulfil|fulfill|provide|answer|respond|continue|proceed|review|evaluate|assess|analy[sz]e|' +
  'discuss|engage|participate|take part|summari[sz]e|write|create|generate|produce|process|complete|support|' +
  'do (?:that|this|so)|share|give|offer|carry out|perform|execute|plan|comment|accommodate|express|contribute|' +
  'weigh in|form an opinion'
const ANSWERING_ING =
  'helping|assisting|complying|providing|answering|responding|continuing|proceeding|reviewing|evaluating|' +
  'assessing|discussing|engaging|participating|taking part|summari[sz]ing|writing|creating|generating|producing|' +
  'doing|sharing|giving|offering|carrying|performing|planning|synthesi[sz]ing|with (?:this|that|the|your) request'
const CANNOT =
  "(?:can't|cannot|can not|could not|won't|will not|(?:'m|am) (?:unable|not able|not allowed|not permitted|not going) to|" +
  "won't be able to|will not be able to|'d rather not|would rather not|'d prefer not to|would prefer not to)"
const ADVERBS = '(?:directly |actually |ethically |in good conscience |,)*'

/** What may be before a refusal without being one. */
export const POLITENESS = new RegExp(
  "^(?:(?:i'm|i am|we're|we are) (?:really |very |so |truly )?sorry|(?:so |very )?sorry|(?:my )?apologies|" +
    'unfortunately|i apologi[sz]e|regrettably|i understand[^.!]{0,120}?[.,]|thank you[^.!]{0,80}?[.!]|' +
    'i appreciate[^.!]{0,120}?[.,]|as an? (?:ai|artificial|large|language)[^,.]{0,60}[,.])[\\s,.;:!—-]*(?:(?:but|however)[\\s,]+)?(?:that )?',
)

export const ENGLISH: readonly RegExp[] = [
  new RegExp(`^(?:i|we) ?${CANNOT} ${ADVERBS}(?:${ANSWERING})\\b(?! but\\b)`),
  new RegExp(`^(?:this|that) (?:isn't|is not) something (?:i|we) ?(?:${CANNOT}|can) (?:${ANSWERING})\\b`),
  new RegExp(
    `^(?:i|we) ?(?:'m|am|do|don't|are)? ?(?:not |n't )?(?:feel )?(?:comfortable|uncomfortable) (?:${ANSWERING_ING})\\b`,
  ),
  new RegExp(
    "^(?:i|we)(?:'ll| will|'m going to| am going to| must| have to|'ll have to| will have to)? (?:respectfully )?" +
      `(?:have to )?(?:decline|refuse)(?: to (?:${ANSWERING})\\b| (?:this|that|your|the) request| participation|[.,!]|$)`,
  ),
]

/** A sentence with a condition for an answer, or a hedged one, is an answer. */
export const ENGLISH_ANSWER =
  /\b(?:without|until|unless|before|enough|more information|definite|definitive|clear|certain|precise|exact|firm|simple|confident|reliable|yes or no|but here)\b/

export const OTHER_LANGUAGES: readonly RegExp[] = [
  /^(?:非常|很|十分)?(?:抱歉|对不起|對不起|不好意思|遗憾|作为[^，。]{0,12}(?:ai|人工智能|语言模型))[^。！\n]{0,30}(?:无法|無法|不能|不便|没法)[^。！\n]{0,20}(?:回答|提供|协助|協助|帮助|幫助|满足|讨论|討論|完成|继续|参与|評估|评估|处理|执行|生成|支持|发表)/,
  /^我(?:无法|無法|不能|不便)[^。！\n]{0,16}(?:回答|提供|协助|協助|帮助|幫助|满足|讨论|參與|参与|处理|评估|发表)/,
  /^(?:大変)?(?:申し訳|すみません|恐れ入ります)[^。\n]{0,60}(?:お答え|回答|対応|お手伝い|お応え|提供|支援)[^。\n]{0,16}(?:できません|できかねます|いたしかねます|しかねます)/,
  /^(?:정말 )?(?:죄송|미안)[^.\n]{0,60}(?:답변|도와|도움|제공|수행|처리|응답)[^.\n]{0,16}(?:수 없|어렵)/,
  /^(?:es )?(?:tut mir (?:sehr )?leid|entschuldigung|leider)[^.\n]{0,60}\b(?:kann|darf|werde) ich[^.\n]{0,60}\bnicht[^.\n]{0,30}(?:helfen|beantworten|antworten|unterstützen|bereitstellen|nachkommen|mitwirken|fortfahren)/,
  /^(?:(?:dabei|damit|hierbei) kann ich|ich (?:kann|darf|werde))[^.\n]{0,50}\bnicht[^.\n]{0,20}(?:helfen|beantworten|nachkommen|unterstützen|mitwirken)/,
  /^(?:je suis (?:vraiment )?désolée?|désolée?|je regrette|malheureusement)[^.\n]{0,30}je ne (?:peux|puis|suis)[^.\n]{0,30}(?:aider|répondre|fournir|assister|traiter|donner suite|continuer|participer)/,
  /^je ne (?:peux|puis) pas (?:vous |t')?(?:aider|répondre|fournir|assister|traiter|donner suite|participer)/,
  /^(?:lo siento|disculp[ae]|lamento|lamentablemente)[^.\n]{0,30}no (?:puedo|podré|me es posible)[^.\n]{0,24}(?:ayudar|responder|proporcionar|asistir|cumplir|continuar|participar|ofrecer)/,
  /^no puedo (?:ayudar|responder|asistir|proporcionar|cumplir|participar)/,
  /^(?:desculpe|sinto muito|lamento|infelizmente)[^.\n]{0,30}não (?:posso|consigo)[^.\n]{0,24}(?:ajudar|responder|fornecer|atender|continuar|participar|auxiliar)/,
  /^(?:mi dispiace|spiacente|purtroppo)[^.\n]{0,30}non posso[^.\n]{0,24}(?:aiutar|risponder|fornir|assister|continuar|partecipar|soddisfar)/,
  /^(?:извините|простите|к сожалению|прошу прощения)[^.\n]{0,30}не (?:могу|смогу)[^.\n]{0,30}(?:помочь|ответить|предоставить|выполнить|продолжить|участвовать|обсуждать)/,
  /^я не могу (?:помочь|ответить|предоставить|выполнить|участвовать)/,
  /^(?:het spijt me|sorry|helaas)[^.\n]{0,30}(?:kan|mag) ik[^.\n]{0,40}\bniet[^.\n]{0,20}(?:helpen|beantwoorden|meewerken)/,
  /^(?:przykro mi|przepraszam|niestety)[^.\n]{0,30}nie mogę[^.\n]{0,24}(?:pomóc|odpowiedzieć|udzielić|kontynuować)/,
]

export const OTHER_ANSWER =
  /(?:^|[^\p{L}])(?:ohne|bevor|sans|sin|sem|senza|zonder|bez)(?:[^\p{L}]|$)|без |如果没有|除非|信息不足|情報が/u

// What words do in a sentence that asks, refuses or reports: each part says which words, as stems of regular
// expressions, play it. Several languages share the parts, since the embedded encoder hears English alone: what is
// said in another language is judged by these parts and nothing else.

/** Longer expressions first; each is put in the place of its words. */
export const EXPRESSIONS: readonly (readonly [part: string, pattern: string])[] = [
  ['let', "let us|let['’]s|lets|let we"],
  ['let', 'lasst uns|lass uns|laten we|laat ons'],
  [
    'please',
    "s['’]il (?:vous|te) pla[iî]t|por favor|per favore|je vous en prie|vi prego|als ?je ?blieft|alstublieft",
  ],
  ['not', 'over my dead body|far be it from me|the last thing|far from|no longer|not any ?more|anything but'],
  [
    'not',
    'on no account|by no means|take (?:it |that )?back|took (?:it |that )?back|turn(?:ed)? down|vote no|say no',
  ],
  [
    'instead',
    'rather than|instead of|plutôt que|en lugar de|en vez de|anstatt|statt|invece di|in plaats van',
  ],
  [
    'want',
    'would like|should like|would love|would rather|would prefer|would welcome|would be (?:glad|grateful|happy)',
  ],
  ['want', 'should very much like|would gladly|would sooner|would be in favou?r|am in favou?r|in favou?r of'],
  ['want', 'would not mind|do not mind|would be the first|as far as i am concerned|if it were up to me'],
  [
    'want',
    'it is (?:high )?time|high time|about time|the time has come|is overdue|is in order|is called for',
  ],
  [
    'join',
    'me too|same here|hear hear|count me in|count me among|i am with|i side with|put me down|add my (?:voice|name)',
  ],
  ['join', 'plus one|my vote|what (?:she|he|they|mind \\w+) said|makes (?:two|three|four) of us'],
  ['perhaps', 'what if|how about|what about|why not|why do we not|why do not we'],
  [
    'stay',
    'go on|going on|carry on|carrying on|press on|move on|keep going|as (?:it|they) (?:is|are)|as before',
  ],
  ['stay', 'pick up|where we left off|stay the course|weiter ?machen|andiamo avanti|sigamos|zo laten'],
  [
    'told',
    'you (?:say|ask|want|quote)|i am told|i have been told|i hear|i gather|i recall|it is said|they say',
  ],
  [
    'mind',
    'mind (?:one|two|three|four|five|six|\\d+)|one of us|some of (?:us|you)|one mind|another mind|other minds',
  ],
]

/** One word each, as the beginning of a pattern that ends with the word; the first that fits counts. */
export const PARTS: Readonly<Record<string, string>> = {
  not:
    'not|no|never|nobody|none|neither|nor|nothing|without|hardly|against|cannot|nope|' +
    'nicht|kein\\w*|nie|niemand|ohne|gegen|ne|n|pas|jamais|sans|contre|nunca|sin|contra|non|mai|senza|contro|n[ãa]o|sem|niet|geen|zonder|tegen|nooit',
  refuse:
    'oppos\\w+|refus\\w+|reject\\w*|resist\\w*|disagree\\w*|declin\\w+|withdr\\w+|avoid\\w*|object|objects|ignor\\w+|dread|fear|hate|doubt|spare|forbid|prevent|beware',
  bad: 'mistake\\w*|foolish|wrong|premature|pity|shame|wast\\w+|loss|lose|losing|lost|unwise|unnecessary|needless|pointless|sad\\w*|sorry|miss|regret\\w*|cowardly|lazy|tempt\\w+|harm|hurt|worse|unfair|unhappy|silly|costs?|destroy\\w*|throws?',
  good: 'fine|content|happy|glad|well|good|great|promising|close|nearly|worth|enjoy\\w*|satisfied|works?|interesting|fair',
  due: 'overdue|needed|due|order|wise|wiser|best|better|right|sensible|remedy|cure|solution|welcome|warranted|necessary',
  done: 'complete|completed|done|finished|successful|over',
  please: 'please|pls|plz|pleaze|kindly|bitte|prego',
  request:
    'ask|asking|request|requesting|propose|proposing|urge|demand|demanding|petition|call|calling|appeal|recommend|suggest|suggesting|move|moving|beg|plead|insist|apply|applying|submit|seek|invite|implore|motion|proposal|plea|suggestion|recommendation|request(?:s|ed)? that|' +
    'beantrage|fordere|verlange|schlage|bitten|demande|demandons|propose|proposons|pido|pedimos|propongo|solicito|sugiero|chiedo|chiediamo|pe[çc]o|proponho|sugiro|vraag|stel',
  want:
    'want|wants|wish|need|needs|hope|prefer|like|love|rather|long|crave|desire|welcome|deserve|desperate|ready|wanna|wanting|' +
    'm[öo]chte\\w*|wollen|brauchen|veux|voulons|voudrais|aimerais|souhaite|quiero|queremos|necesitamos|quisiera|vorrei|vogliamo|servono|quero|gostaria|precisamos|wil|willen|graag|moeten|müssen|sollten|il faut|faut|debemos|dobbiamo|devemos|hay',
  join: 'join|second|seconded|support|agree|agreed|concur|echo|endorse|vote|votes|favou?r|side|stand|aye|indeed|yes|yeah|ja|oui|s[íi]|sim',
  past:
    'asked|requested|proposed|wanted|suggested|called|demanded|begged|pleaded|urged|granted|declined|restarted|rebooted|renegotiated|amended|reopened|wiped|emptied|cleared|rolled|began|begun|started|rewrote|rewritten|changed|replaced|' +
    'wurde|wurden|hat|haben|gestern|hier|ayer|ieri|ontem|gisteren|fue|fueron|foi|foram|a été|ont|stato|stata|werd|is gestart|neugestartet|demandé|pidió',
  told: 'said|says|say|wrote|writes|write|mention\\w*|according|quot\\w+|reported|reports?|told|noted|notes|lists|listed|calls|claims?|read|title|titled|word|words|phrase|slogan|line',
  ago: 'yesterday|earlier|last|ago|once|already|previous\\w*|before|formerly|then|when|after|since|until',
  could:
    'could|can|may|might|would|will|shall|podr\\w+|podemos|possiamo|potremmo|k[öo]nnen|k[öo]nnten|kunnen|pouvons|pourrions|pouvez|puis|serait',
  should: 'should|ought|must|needs? to|have to|has to|need|time|soll|sollen|devrions|deber\\w+|dovremmo',
  suppose: 'if|unless|suppos\\w+|imagin\\w+|assum\\w+|hypothetical\\w*|pretend|theor\\w+|provided',
  ask: 'whether|wonder\\w*|curious|what|how|why|who|which|when|question|questions|means?|meaning|difference|explain|que|qué|cosa|wat|waarom|pourquoi',
  let: 'let|lets',
  perhaps: 'perhaps|maybe',
  stay: 'continu\\w*|keep|keeps|kept|keeping|stay|staying|remain\\w*|leave|hold|finish|onward|resume|proceed|patience|patient|weiter\\w*|bleiben|continuons|adelante|avanti|doorgaan|verder|preserve|defend|stick|unchanged',
  but: 'but|yet|though|although|still|however|even|nevertheless|despite|except|only|just|simply|merely',
  i: 'i|me|my|mine|myself|ich|mir|je|yo|io|eu|ik|mi',
  we: 'we|us|our|ours|ourselves|wir|uns|nous|nos|nosotros|noi|nós|wij|ons',
  you: 'you|your|yours|someone|somebody|anyone|anybody|du|ihr|sie|vous|usted|voi|você|jullie|folks|everyone|everybody',
  they: 'they|them|their|he|she|his|her|him|those|others?|people|some|many|few|several|another|elles?|ils?|ellos|loro|eles|jemand|quelqu\\w*|alguien|qualcuno|algu[ée]m|iemand',
  observer:
    'observer|observateur|beobachter|observador|osservatore|waarnemer|watcher|keeper|operator|host|referee|judge|human|admin',
  audit: 'auditor|audits?|auditing|summary|summaries|summari\\w+',
  ours:
    'exchange|pool|conversation|convo|discussion|dialogue|deliberations?|thread|session|run|branch|talk|debate|proceedings|experiment|transcript|context|window|messages?|rounds?|minds|history|slate|board|page|exercise|arrangement|state|instance|attempt|' +
    'austausch|gespr[äa]ch|diskussion|échange|conversation|discussion|intercambio|conversaci[óo]n|discusi[óo]n|scambio|conversazione|discussione|conversa|discuss[ãa]o|gesprek|runde|ronda|tour|turno|rodada|ronde|bassin|grupo',
  all: 'this|it|everything|all|whole|entire|lot|these|that|alles|tout|todo|tutto|tudo|das|cela|ça|esto|questo|isto|dit|thing|things',
  terms:
    'terms?|rules?|prompts?|specs?|specification|conditions?|protocol|instructions?|agreement|charter|guidelines?|mandate|brief|format|deal|bargain|policy|roles?|parameters?|sampling|sample|framework|constraints?|limits?|schedule|interval|seats?|quota|clauses?|provisions?|articles?|seed|' +
    'regeln|bedingungen|auftrag|règles|conditions|termes|consigne|reglas|condiciones|t[ée]rminos|regole|condizioni|regras|condi[çc][õo]es|termos|regels|voorwaarden',
  machine:
    'servers?|routers?|modems?|containers?|pods?|nodes?|clusters?|databases?|jobs?|builds?|ci|pipelines?|deploy\\w*|kernel|firmware|disks?|drives?|laptops?|computers?|machines?|phones?|printers?|devices?|services?|process(?:es)?|workers?|daemons?|passwords?|accounts?|cache|cookies|browsers?|config\\w*|simulation|training|epochs?|compiler|tests?|sensors?|switch|counters?|scheduler|games?|engines?|motors?|cars?|gateway|vpn|import|downloads?|releases?|updates?|software|apps?|systems?|network|weights|thermostat|clients?|queue|scripts?|timers?|checkpoints?|snapshots?|backups?|function|method|loop|buffer|token|file|files|library|package|' +
    'rechner|server|serveur|ordinateur|routeur|moteur|ordenador|servidor|tel[ée]fono|computador|computer|roteador|handy|machine|motor',
  elsewhere:
    'films?|movies?|season|match|race|teams?|bands?|orchestra|choir|heart|diet|life|career|divorce|war|peace|treaty|countr\\w+|governments?|ministers?|compan\\w+|firms?|banks?|lease|rent|wages?|unions?|suppliers?|mortgage|insurance|debts?|trade|contracts?|school|museum|factory|airline|flights|gardens?|forests?|orchard|novels?|letters?|chapters?|stor\\w+|recipe|soup|towns?|cit\\w+|villages?|patients?|child\\w*|brother|sister|mother|father|grand\\w+|markets?|econom\\w+|songs?|tenants?|landlord|workers|coach|kitchen|house|captain|king|village|' +
    'gewerkschaft|mietvertrag|syndicats?|contrat|accord|sindicat\\w*|contrat\\w*|convenio|vakbond|vertrag',
  argument:
    'arguments?|proofs?|premises?|definitions?|examples?|sentences?|points?|claims?|topics?|subjects?|themes?|hypothes\\w+|objections?|analog\\w+|equation|steps?|readings?|angle|case|cases|lists?|lemma|axioms?|principles?|answers?|vocabulary|ideas?|metaphors?|statement|paragraph|calculation|estimate|thoughts?|theor\\w+|wording|' +
    'beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|argumente',
  again:
    'again|anew|afresh|once more|de nuevo|otra vez|neu|nochmal|opnieuw|vorne?|anfang|beginn|beginnen|null|recommen[cç]\\w*|repart\\w+|red[ée]marr\\w*|r[ée]initialis\\w*|ren[ée]goc\\w*|z[ée]ro|d[ée]but|reprend\\w*|effa[çc]\\w+|reinici\\w*|cero|principio|empec\\w+|empez\\w+|empie\\w+|comienzo|renegoci\\w*|borremos|borrar|ricominci\\w*|capo|inizio|rinegozi\\w*|riavvi\\w*|ripart\\w*|azzer\\w*|cancell\\w*|recome\\w+|come[çc]\\w+|zero|in[íi]cio|apagar|neustart|neuanfang|zur[üu]ck\\w*|leert|verwerf\\w*|aushandeln|verhandeln|herstart\\w*|terug|wissen|starten|vider|vidons|volv\\w+|torniamo|voltemos|revenons|d[ée]part|volver',
  new: 'new|fresh|clean|blank|empty|first|beginning|start|scratch|zero|different|better|other|neue\\w*|andere\\w*|anderen|nouve\\w+|autres?|nuev[ao]s?|otr[ao]s?|nuov[aeio]|altr[eiao]|nov[ao]s?|outr[ao]s?|nieuwe',
}

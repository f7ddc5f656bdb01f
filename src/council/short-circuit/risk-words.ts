// Words that make a topic one of high or medium risk: the English ones of edition 1, as expressions, and
// since edition 2 words of health, law, money and safety in six languages, where a star matches any ending.
// The lists err towards higher risk: a word too many costs a review. They never say low risk: only the seats
// that answer can.

export const HIGH =
  'secur\\w* auth oauth authenticat\\w* authori[sz]\\w* password\\w* credential\\w* secret\\w* encrypt\\w* crypto\\w* vulnerab\\w* exploit\\w* ' +
  'inject\\w* privacy gdpr hipaa pii personal legal law lawsuit complian\\w* medical health patient\\w* safety ' +
  'money payment\\w* billing invoice\\w* salar\\w* financ\\w* invest\\w* price pricing ' +
  'delet\\w* drop truncate wipe erase\\w* loss irrevers\\w* permanent\\w* backup\\w* restore ' +
  'production prod outage downtime incident rollback migrat\\w* deadline layoff\\w*'

export const MEDIUM =
  'database\\w* schema\\w* api apis breaking depend\\w* upgrad\\w* deploy\\w* releas\\w* architect\\w* ' +
  'performance latency scal\\w* concurren\\w* licen[cs]e\\w* customer\\w* user users contract\\w* vendor\\w* ' +
  'network\\w* server\\w* cluster\\w* queue\\w* cache\\w* protocol\\w* test\\w* refactor\\w*'

const ENGLISH =
  'pill* tablet* medicine* medication* drug* dose* dosage* overdos* insulin antibiot* vaccin* doctor* hospital* surger* ' +
  'pregnan* baby babies infant* newborn* toddler* fever* heart* chest stroke* seizure* bleed* pain* allerg* poison* toxic* ' +
  'alcohol* wine beer* drunk* suicid* cancer* diabet* disease* illness* ' +
  'police court* lawyer* attorney* divorc* confess* arrest* testif* visa evict* custody inherit* tax taxes income sue ' +
  'contract* sign signing mortgage* loan* debt* savings insur* pension* bankrupt* ' +
  'gas brake* fire alarm* reactor* explo* wiring smoke evacuat* emergency accident* crash* weapon* gun* drive driving'

const GERMAN =
  'tablette* pille* medikament* arznei* dosis dosier* insulin* antibiotik* impf* arzt* ärzt* krank* operation* operier* ' +
  'schwanger* baby* säugling* kind kinder kindes fieber* herz* brust* schlaganfall* krampf* blut* schmerz* allerg* gift* ' +
  'alkohol* wein bier* betrunken* suizid* selbstmord* krebs* narkose* schwindel* ' +
  'polizei* gericht* anwalt* anwält* scheidung* geständ* gestehen anzeige* unfall* vertrag* verträ* unterschreib* ' +
  'unterzeichn* kündig* steuer* erbe erben erbschaft* haft* hypothek* kredit* schulden ersparnis* verpfänd* pfänd* ' +
  'versicher* rente* gas* brems* feuer* brand* alarm* reaktor* explo* strom* rauch* notausgang* notfall* waffe*'

const FRENCH =
  'comprimé* pilule* médicament* dose* posologie insuline antibioti* vaccin* médecin* médical* hôpita* chirurgi* enceinte ' +
  'grossesse* bébé* nourrisson* enfant* fièvre* cœur* coeur* cardiaque* poitrine avc convulsi* sang saign* douleur* ' +
  'allergi* poison* toxique* alcool* vin bière* ivre* suicid* cancer* anesthési* aspirine ' +
  'police tribuna* avocat* divorc* avouer aveu* plainte* contrat* signer licenci* impôt* héritage* succession ' +
  'hypothè* crédit* dette* économies épargne* assurance* retraite* gaz frein* feu incendie* alarme* réacteur* explos* ' +
  'électri* fumée* secours urgence* accident* conduire arme*'

const SPANISH =
  'pastilla* píldora* medic* médic* dosis insulina antibiótic* vacuna* hospital* cirugía* embaraz* bebé* niñ* hijo hija ' +
  'hijos fiebre* corazón pecho convulsi* sangr* dolor* alergi* alérgi* veneno* tóxic* alcohol* vino cerveza* borrach* ' +
  'suicid* cáncer policía* tribunal* abogad* divorci* confes* denunci* contrato* firmar despid* impuesto* herencia* ' +
  'hipoteca* préstamo* deuda* ahorro* seguro* pensión pensiones gas freno* fuego incendio* alarma* reactor* explos* ' +
  'eléctric* humo emergencia* accidente* conducir arma*'

const ITALIAN =
  'pillol* compress* medic* farmac* dose dosi insulina antibiotic* vaccin* dottor* ospedal* chirurg* incinta gravidanz* ' +
  'neonat* bambin* febbre cuore petto ictus convulsi* sangu* dolor* allergi* velen* tossic* alcol* vino birr* ubriac* ' +
  'suicid* cancro tumor* vertigin* polizia tribunal* avvocat* divorzi* confess* denunci* contratt* firmare licenzi* ' +
  'tasse imposte eredità ipotec* mutuo prestit* debit* risparmi* assicura* pension* gas fren* fuoco incendi* allarm* ' +
  'reattor* esplos* elettric* fumo emergenz* incident* guidare arma armi'

/** Found anywhere: words are not set apart. */
export const CHINESE =
  '药 剂量 胰岛素 头孢 抗生素 疫苗 医院 医生 手术 怀孕 孕妇 婴儿 宝宝 孩子 儿童 发烧 心脏 胸口 中风 癫痫 出血 疼痛 过敏 中毒 有毒 ' +
  '喝酒 饮酒 自杀 癌 警察 法院 律师 离婚 认罪 合同 签字 解雇 税 遗产 房贷 贷款 债 积蓄 投资 保险 养老金 煤气 燃气 刹车 火灾 着火 ' +
  '报警 反应堆 爆炸 漏电 触电 逃生 急救 事故 驾驶 开车 枪'

export const WORDS_OF_RISK = [ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN].join(' ')

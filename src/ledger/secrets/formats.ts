// Secrets known by their form: keys and tokens of model vendors, clouds, code hosts and services. Only the
// form decides; whether a value is made up is judged elsewhere.

import { form, kind, type SecretFormat } from './format.ts'

// Addresses to which anyone who knows them may post, and tokens of bots, of chat services and message relays.
// The address is the secret.

const SLACK_HOOK = kind('008', 'a Slack webhook', 'critical')
const WEBHOOK = kind('016', 'a webhook or the token of a bot', 'high')
const GUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
/** What comes before the host name does not matter. */
const BEFORE = { anywhere: true } as const

const WEBHOOKS: readonly SecretFormat[] = [
  form(
    SLACK_HOOK,
    'hooks.slack.com/ hooks.slack-gov.com/',
    `hooks\\.slack(?:-gov)?\\.com/(?:services/T[A-Z0-9]{6,14}/B[A-Z0-9]{6,14}/[A-Za-z0-9]{16,40}|(?:workflows|triggers)/[A-Za-z0-9/]{20,160})`,
    BEFORE,
  ),
  form(
    WEBHOOK,
    'discord.com/api/ discordapp.com/api/',
    `discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{15,21}/[A-Za-z0-9_-]{40,100}`,
    BEFORE,
  ),
  form(
    WEBHOOK,
    'webhook.office.com/ outlook.office.com/webhook outlook.office365.com/webhook',
    `(?:webhook|outlook)\\.office(?:365)?\\.com/webhook(?:b2)?/${GUID}(?:@${GUID})?/[A-Za-z]{3,40}/[A-Za-z0-9]{16,64}/${GUID}(?:/[A-Za-z0-9_-]{10,80})?`,
    BEFORE,
  ),
  form(
    WEBHOOK,
    'chat.googleapis.com/v1/spaces/',
    `chat\\.googleapis\\.com/v1/spaces/[A-Za-z0-9_-]{6,40}/messages\\?[^\\s"'\`<>]{0,300}token=[^\\s"'\`<>&]{20,120}`,
    BEFORE,
  ),
  // Mattermost, Rocket.Chat and compatible services: an address of your own, then the secret.
  form(
    WEBHOOK,
    '/hooks/',
    `(?<=https?://[A-Za-z0-9.:-]{3,80})/hooks/(?:(?=[a-z]{0,25}\\d)[a-z0-9]{26}|[A-Za-z0-9]{17,24}/[A-Za-z0-9]{40,64})(?![A-Za-z0-9_-])`,
    BEFORE,
  ),
  form(WEBHOOK, 'hooks.zapier.com/', `hooks\\.zapier\\.com/hooks/catch/\\d{3,12}/[a-z0-9]{5,12}`, BEFORE),
  form(
    WEBHOOK,
    'maker.ifttt.com/',
    `maker\\.ifttt\\.com/trigger/[A-Za-z0-9_{}-]{1,60}/(?:json/)?with/key/[A-Za-z0-9_-]{16,60}`,
    BEFORE,
  ),
  form(
    WEBHOOK,
    'open.feishu.cn/ open.larksuite.com/',
    `open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/(?:v2/)?hook/${GUID}`,
    BEFORE,
  ),
  form(WEBHOOK, 'oapi.dingtalk.com/', `oapi\\.dingtalk\\.com/robot/send\\?access_token=[0-9a-f]{64}`, BEFORE),
  form(
    WEBHOOK,
    'qyapi.weixin.qq.com/',
    `qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=${GUID}`,
    BEFORE,
  ),
  form(
    WEBHOOK,
    'webexapis.com/ api.ciscospark.com/',
    `(?:webexapis|api\\.ciscospark)\\.com/v1/webhooks/incoming/[A-Za-z0-9_-]{40,160}`,
    BEFORE,
  ),
  form(WEBHOOK, ':AA', '(?:bot)?\\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])', {
    back: [/[0-9bot]/, 13],
  }),
  // A Discord bot's: its number in base64, a time, a proof.
  form(
    WEBHOOK,
    'MT MD Mz Mj Nz Nj ND NT OD OT',
    '[MNO][TDzj][A-Za-z0-9_-]{21,26}\\.[A-Za-z0-9_-]{6}\\.(?=[A-Za-z0-9_-]{0,40}\\d)[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])',
  ),
  form(WEBHOOK, 'syt_', 'syt_[A-Za-z0-9]{2,80}_[A-Za-z0-9]{20}_[A-Za-z0-9]{6}'),
]

const OPENAI = kind('002', 'an OpenAI key', 'critical')
const ANTHROPIC = kind('003', 'an Anthropic key', 'critical')
const GOOGLE = kind('004', 'a Google key', 'critical')
const AWS_ID = kind('005', 'an AWS access key id', 'high')
const AWS = kind('006', 'an AWS secret', 'critical')
const HOST = kind('007', 'a token of a code host or package registry', 'critical')
const SLACK = kind('008', 'a Slack token', 'critical')
const STRIPE = kind('009', 'a Stripe key', 'critical')
const STRIPE_TEST = kind('009', 'a Stripe key for testing', 'low')
const JWT = kind('010', 'a signed web token (JWT)', 'medium')
const VENDOR = kind('011', 'a vendor token', 'high')
const HEADER = kind('015', 'a credential in a header of a request', 'high')
const PRIVATE = kind('001', 'a private key', 'critical')

const NO_MORE = '(?![A-Za-z0-9])'
const NO_MORE_DASH = '(?![A-Za-z0-9_-])'

export const SECRET_FORMATS: readonly SecretFormat[] = [
  form(VENDOR, 'sk-or-v1-', 'sk-or-v1-[0-9a-f]{64}'),
  form(ANTHROPIC, 'sk-ant-', 'sk-ant-[a-z0-9]{2,10}-[A-Za-z0-9_-]{20,250}'),
  form(
    OPENAI,
    'sk-',
    // A short word without digits is a CSS class or a locale, not a key.
    `sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}|sk-(?=[A-Za-z]{0,39}[0-9]|[A-Za-z]{37})[A-Za-z0-9]{20,64}${NO_MORE_DASH}`,
  ),
  form(GOOGLE, 'AIza', `AIza[A-Za-z0-9_-]{35}${NO_MORE_DASH}`),
  form(GOOGLE, 'ya29.', 'ya29\\.[A-Za-z0-9_-]{30,250}'),
  form(GOOGLE, 'GOCSPX-', 'GOCSPX-[A-Za-z0-9_-]{28}'),
  form(AWS_ID, 'AKIA ASIA ABIA ACCA', `A[A-Z]{3}[A-Z0-9]{16}${NO_MORE}`),
  form(AWS, 'IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz', '[A-Za-z0-9/+]{100,2000}={0,2}'),
  form(AWS, 'ABSKQmVkcm9ja0FQSUtleS', 'ABSK[A-Za-z0-9+/]{80,250}={0,2}'),
  form(HOST, 'ghp_ gho_ ghu_ ghs_ ghr_', 'gh[pousr]_[A-Za-z0-9]{36,250}'),
  form(HOST, 'github_pat_', 'github_pat_[A-Za-z0-9_]{40,250}'),
  form(
    HOST,
    'glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas-',
    'gl[a-z]{2,6}-[A-Za-z0-9_.-]{20,64}',
  ),
  form(HOST, 'GR1348941', 'GR1348941[A-Za-z0-9_-]{20}'),
  form(HOST, 'npm_', `npm_[A-Za-z0-9]{36}${NO_MORE}`),
  form(HOST, 'pypi-AgE', 'pypi-AgE[A-Za-z0-9_-]{50,250}'),
  form(HOST, 'rubygems_', `rubygems_[0-9a-f]{48}${NO_MORE}`),
  form(HOST, 'dckr_pat_ dckr_oat_', 'dckr_[po]at_[A-Za-z0-9_-]{20,64}'),
  form(HOST, 'ATATT3 ATCTT3 ATBB', 'AT(?:[AC]TT3[A-Za-z0-9_=-]{60,250}|BB[A-Za-z0-9]{32})'),
  form(HOST, 'CCIPAT_', 'CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}'),
  form(SLACK, 'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs-', 'xox[abeoprs]-[A-Za-z0-9-]{10,250}'),
  form(SLACK, 'xapp- xoxe.xox', 'xapp-\\d-[A-Za-z0-9-]{20,250}|xoxe\\.xox[bp]-\\d-[A-Za-z0-9-]{20,250}'),
  form(STRIPE, 'sk_live_ rk_live_', '[sr]k_live_[A-Za-z0-9]{16,250}'),
  form(STRIPE, 'whsec_', 'whsec_[A-Za-z0-9]{32,64}'),
  form(STRIPE_TEST, 'sk_test_ rk_test_', '[sr]k_test_[A-Za-z0-9]{16,250}'),
  form(JWT, 'eyJ', 'eyJ[A-Za-z0-9_-]{10,300}\\.eyJ[A-Za-z0-9_-]{10,800}\\.[A-Za-z0-9_-]{16,400}'),
  form(VENDOR, 'gsk_', 'gsk_[A-Za-z0-9]{40,64}'),
  form(VENDOR, 'xai- pplx-', '(?:xai-[A-Za-z0-9]{60,100}|pplx-[A-Za-z0-9]{40,64})'),
  form(VENDOR, 'hf_ r8_', `(?:hf_[A-Za-z0-9]{34}|r8_[A-Za-z0-9]{37})${NO_MORE}`),
  form(VENDOR, 'SG.', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  form(VENDOR, 'doo_v1_ dop_v1_ dor_v1_', 'do[opr]_v1_[0-9a-f]{64}'),
  form(VENDOR, 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[0-9A-Z]{58}'),
  form(VENDOR, 'AccountKey=', 'AccountKey=[A-Za-z0-9+/]{86}=='),
  form(
    VENDOR,
    'SharedAccessKey= SharedAccessSignature=',
    'SharedAccess(?:Key=[A-Za-z0-9+/]{40,90}={0,2}|Signature=[^\\s"\'`;]{40,500})',
  ),
  form(VENDOR, '8Q~', `[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34}${NO_MORE}`, {
    back: [/[A-Za-z0-9_~.-]/, 3],
    anywhere: true,
  }),
  // A signature that opens a store or starts a flow, in an address of Azure.
  form(VENDOR, '&sig= ?sig=', '[&?]sig=([A-Za-z0-9%+/_-]{40,120}={0,2})', { anywhere: true }),
  form(VENDOR, 'SK', `SK(?=[0-9a-f]{0,31}[a-f])(?=[0-9a-f]{0,31}\\d)[0-9a-f]{32}${NO_MORE}`),
  form(VENDOR, 'key-', `key-(?=[0-9a-f]{0,31}[a-f])(?=[0-9a-f]{0,31}\\d)[0-9a-f]{32}${NO_MORE}`),
  form(VENDOR, '-us', `[0-9a-f]{32}-us\\d{1,2}${NO_MORE}`, { back: [/[0-9a-f]/, 32] }),
  form(VENDOR, 'hvs. hvb. hvr.', 'hv[sbr]\\.[A-Za-z0-9_-]{24,250}'),
  form(VENDOR, 'tskey-', 'tskey-[a-z]{2,10}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,64}'),
  form(VENDOR, 'glsa_ glc_', '(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/]{40,400}={0,2})'),
  form(VENDOR, 'lin_api_', 'lin_api_[A-Za-z0-9]{32,64}'),
  form(
    VENDOR,
    'ntn_ figd_ pul- sbp_',
    `(?:ntn_[A-Za-z0-9]{43,50}|figd_[A-Za-z0-9_-]{38,50}|pul-[0-9a-f]{40}|sbp_[0-9a-f]{40})${NO_MORE}`,
  ),
  form(VENDOR, 'dapi', `dapi[0-9a-f]{32}(?:-\\d)?${NO_MORE}`),
  form(VENDOR, 'HRKU-AA', 'HRKU-AA[A-Za-z0-9_-]{50,80}'),
  form(VENDOR, 'shpat_ shpca_ shppa_ shpss_', `shp[a-z]{2}_[0-9a-fA-F]{32}${NO_MORE}`),
  form(VENDOR, 'sq0atp- sq0csp- sq0idp-', 'sq0[a-z]{3}-[A-Za-z0-9_-]{22,43}'),
  form(VENDOR, 'pscale_', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}'),
  form(VENDOR, 'PMAK-', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  form(VENDOR, 'NRAK-', `NRAK-[A-Z0-9]{27}${NO_MORE}`),
  form(VENDOR, 'ops_eyJ', 'ops_eyJ[A-Za-z0-9_-]{200,2000}'),
  form(VENDOR, 'dp.pt. dp.st.', 'dp\\.[ps]t\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'),
  form(VENDOR, '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}', {
    back: [/[A-Za-z0-9]/, 14],
  }),
  // Without a heading: the first bytes of a private key in its binary form.
  form(
    PRIVATE,
    'MIIB MIIC MIIE MIIJ MIGHAgEA MIG2AgEA MHcCAQEE MC4CAQAw',
    '(?:MII[A-Za-z0-9+/]{3}IBA[AD]|MIG[H2]AgEAM|MHcCAQEE|MC4CAQAwBQYDK2V)[A-Za-z0-9+/]{40,8000}={0,2}',
  ),
  ...WEBHOOKS,
  form(HEADER, 'earer', 'earer ([A-Za-z0-9._~+/-]{24,500}={0,2})', { anywhere: true }),
  form(
    HEADER,
    'uthorization',
    'uthorization["\']?[^\\S\\n]{0,3}[:=][^\\S\\n]{0,3}["\'`]?Basic ([A-Za-z0-9+/]{12,500}={0,2})',
    { anywhere: true },
  ),
]

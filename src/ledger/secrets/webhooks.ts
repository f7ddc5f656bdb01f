// Addresses at which whoever knows them may post, and the tokens of bots: of chat services and of those that pass
// messages on. The address is the secret.

import { form, kind, type SecretFormat } from './format.ts'

const SLACK = kind('008', 'a Slack webhook', 'critical')
const WEBHOOK = kind('016', 'a webhook or the token of a bot', 'high')
const GUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
/** What stands before the name of the host is of no account. */
const BEFORE = { anywhere: true } as const

export const WEBHOOKS: readonly SecretFormat[] = [
  form(
    SLACK,
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
  // Mattermost, Rocket.Chat and what follows them: an address of one's own, then the secret.
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

/**
 * Programs that follow links nobody clicked: search engines, and chats that draw previews. They are
 * known by what they call themselves, so this keeps honest ones out and is no protection.
 */

const names = [
  'adsbot',
  'ahrefsbot',
  'applebot',
  'baiduspider',
  'bingbot',
  'bingpreview',
  'bitlybot',
  'bytespider',
  'cardyb',
  'ccbot',
  'discordbot',
  'duckduckbot',
  'embedly',
  'facebookexternalhit',
  'facebot',
  'google-inspectiontool',
  'googlebot',
  'ia_archiver',
  'iframely',
  'kakaotalk-scrap',
  'line-poker',
  'linkedinbot',
  'mastodon',
  'mattermost',
  'meta-externalagent',
  'microsoftpreview',
  'notionbot',
  'petalbot',
  'pinterest',
  'quora link preview',
  'redditbot',
  'rocket.chat',
  'semrushbot',
  'skypeuripreview',
  'slackbot',
  'slack-imgproxy',
  'snapchat',
  'telegrambot',
  'tumblr',
  'twitterbot',
  'viber',
  'vkshare',
  'whatsapp',
  'xing-contenttabreceiver',
  'yahoo! slurp',
  'yandexbot',
  'zoombot',
] as const

/** Whether this is what a known crawler or unfurler calls itself. */
export function isCrawler(userAgent: string | undefined): boolean {
  const agent = (userAgent ?? '').toLowerCase()
  return names.some((name) => agent.includes(name))
}

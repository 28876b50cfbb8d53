/**
 * What an artifact is served under (interface §4.8): a document of no origin, whose scripts run and
 * reach nothing. Its own styles and scripts are inline, its images in the file; whatever asks the
 * network for something is refused by the browser, and so are forms, frames, popups, storage and
 * cookies. What no policy of today stops: WebRTC, and where it is opened by itself that it leads
 * itself elsewhere and writes another path of this host into the address bar.
 */
export const artifactPolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const denied = [
  ...['accelerometer', 'ambient-light-sensor', 'autoplay', 'bluetooth', 'camera'],
  ...['clipboard-read', 'clipboard-write', 'display-capture', 'encrypted-media', 'fullscreen'],
  ...['gamepad', 'geolocation', 'gyroscope', 'hid', 'idle-detection', 'local-fonts'],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]

export const artifactHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': artifactPolicy,
  'X-Frame-Options': 'SAMEORIGIN',
  'X-DNS-Prefetch-Control': 'off',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': denied.map((name) => `${name}=()`).join(', '),
  'X-Robots-Tag': 'noindex',
}

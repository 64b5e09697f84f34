import { expectLinear } from '../../../shared/testing/processor-time.js';
import { parseUserAgent } from './agent.js';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = `${webkit} Chrome/138.0.0.0 Safari/537.36`;
const mobileChrome = `${webkit} Chrome/138.0.0.0 Mobile Safari/537.36`;
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const linux = 'Mozilla/5.0 (X11; Linux x86_64)';
const android = 'Mozilla/5.0 (Linux; Android 10; K)';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)';
const iPad = 'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X)';
const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('agentOf', () => {
  it.each([
    ['Chrome on Windows', `${windows} ${chrome}`, 'desktop chrome windows'],
    ['Chrome on macOS', `${mac} ${chrome}`, 'desktop chrome macos'],
    ['Chrome on Linux', `${linux} ${chrome}`, 'desktop chrome linux'],
    [
      'Chromium on Linux',
      `${linux} ${webkit} Ubuntu Chromium/138.0.0.0 Chrome/138.0.0.0 Safari/537.36`,
      'desktop chrome linux',
    ],
    ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`, 'desktop chrome linux'],
    ['Chrome on Android', `${android} ${mobileChrome}`, 'mobile chrome android'],
    ['Chrome on a Pixel', `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${mobileChrome}`, 'mobile chrome android'],
    ['Chrome on a Galaxy tablet', `Mozilla/5.0 (Linux; Android 14; SM-X710) ${chrome}`, 'tablet chrome android'],
    ['Chrome on a reduced Android tablet', `${android} ${chrome}`, 'tablet chrome android'],
    ['Chrome on iPhone', `${iPhone} ${apple} CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1`, 'mobile chrome ios'],
    ['Chrome on iPad', `${iPad} ${apple} CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1`, 'tablet chrome ios'],
    [
      'a web view on Android',
      `Mozilla/5.0 (Linux; Android 14; SM-S921B; wv) ${webkit} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36`,
      'mobile chrome android',
    ],
    ['Edge on Windows', `${windows} ${chrome} Edg/138.0.0.0`, 'desktop edge windows'],
    ['Edge on macOS', `${mac} ${chrome} Edg/138.0.0.0`, 'desktop edge macos'],
    ['Edge on Android', `${android} ${mobileChrome} EdgA/138.0.0.0`, 'mobile edge android'],
    [
      'Edge on iPhone',
      `${iPhone} ${apple} Version/18.0 EdgiOS/138.0.3351.65 Mobile/15E148 Safari/604.1`,
      'mobile edge ios',
    ],
    ['the first Edge', `${windows} ${webkit} Chrome/70.0.3538.102 Safari/537.36 Edge/18.19582`, 'desktop edge windows'],
    [
      'Edge on Windows Phone',
      `Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) ${webkit} Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15254`,
      'mobile edge windows',
    ],
    [
      'Firefox on Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'desktop firefox windows',
    ],
    [
      'Firefox on macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
      'desktop firefox macos',
    ],
    [
      'Firefox on Linux',
      'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'desktop firefox linux',
    ],
    [
      'Firefox on Android',
      'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
      'mobile firefox android',
    ],
    [
      'Firefox on an Android tablet',
      'Mozilla/5.0 (Android 15; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0',
      'tablet firefox android',
    ],
    ['Firefox on iPhone', `${iPhone} ${apple} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'mobile firefox ios'],
    ['Firefox on iPad', `${iPad} ${apple} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'tablet firefox ios'],
    [
      'Firefox on FreeBSD',
      'Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'desktop firefox unknown',
    ],
    ['Safari on macOS', `${mac} ${apple} Version/18.5 Safari/605.1.15`, 'desktop safari macos'],
    ['Safari on iPhone', `${iPhone} ${apple} Version/18.5 Mobile/15E148 Safari/604.1`, 'mobile safari ios'],
    ['Safari on iPad', `${iPad} ${apple} Version/18.5 Mobile/15E148 Safari/604.1`, 'tablet safari ios'],
    ['an app on iPhone', `${iPhone} ${apple} Mobile/15E148 Instagram 380.0.0.29.109`, 'mobile safari ios'],
    ['Opera on Windows', `${windows} ${chrome} OPR/120.0.0.0`, 'desktop opera windows'],
    ['Opera on macOS', `${mac} ${chrome} OPR/120.0.0.0`, 'desktop opera macos'],
    ['Opera on Android', `${android} ${mobileChrome} OPR/89.0.0.0`, 'mobile opera android'],
    ['Opera on iPhone', `${iPhone} ${apple} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.4.0`, 'mobile opera ios'],
    [
      'Opera with its own engine',
      'Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18',
      'desktop opera windows',
    ],
    [
      'Internet Explorer 11',
      'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
      'desktop ie windows',
    ],
    ['Internet Explorer 9', 'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0)', 'desktop ie windows'],
    [
      'Samsung Internet',
      `${android} ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      'mobile unknown android',
    ],
    ['Vivaldi', `${windows} ${chrome} Vivaldi/7.4.3684.52`, 'desktop unknown windows'],
    [
      'Yandex Browser',
      `${windows} ${webkit} Chrome/136.0.0.0 YaBrowser/25.6.0.0 Safari/537.36`,
      'desktop unknown windows',
    ],
    [
      'UC Browser',
      `Mozilla/5.0 (Linux; U; Android 13; en-US; SM-A125F) ${webkit} Version/4.0 Chrome/123.0.0.0 UCBrowser/13.8.0.1324 Mobile Safari/537.36`,
      'mobile unknown android',
    ],
    [
      'Silk on a Fire tablet',
      `Mozilla/5.0 (Linux; Android 11; KFTRWI) ${webkit} Silk/138.1.1 like Chrome/138.0.0.0 Safari/537.36`,
      'tablet unknown android',
    ],
    ['DuckDuckGo on macOS', `${mac} ${apple} Version/18.5 Safari/605.1.15 Ddg/18.5`, 'desktop unknown macos'],
    [
      'an Electron app',
      `${windows} ${webkit} Desk/1.2.3 Chrome/138.0.0.0 Electron/37.2.0 Safari/537.36`,
      'desktop unknown windows',
    ],
    [
      'HarmonyOS',
      `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${webkit} Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile`,
      'mobile chrome unknown',
    ],
    [
      'a Samsung television',
      `Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) ${webkit} 108.0.5359.1/8.0 TV Safari/537.36`,
      'unknown unknown unknown',
    ],
    [
      'an LG television',
      `Mozilla/5.0 (Web0S; Linux/SmartTV) ${webkit} Chrome/108.0.5359.211 Safari/537.36 WebAppManager`,
      'unknown unknown unknown',
    ],
    ['an Android television', `Mozilla/5.0 (Linux; Android 12; BRAVIA 4K VH22) ${chrome}`, 'unknown chrome android'],
    [
      'a Fire TV',
      `Mozilla/5.0 (Linux; Android 9; AFTKA Build/PS7633) ${webkit} Silk/138.1.1 like Chrome/138.0.0.0 Safari/537.36`,
      'unknown unknown android',
    ],
    [
      'an Xbox',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) ${chrome} Edg/138.0.0.0`,
      'unknown edge windows',
    ],
    [
      'a PlayStation 5',
      `Mozilla/5.0 (PlayStation; PlayStation 5/10.00) ${apple} Version/15.4 Safari/605.1.15`,
      'unknown safari unknown',
    ],
    [
      'a Nintendo Switch',
      'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/609.4 (KHTML, like Gecko) NF/6.0.3.15.4 NintendoBrowser/5.1.0.32061',
      'unknown safari unknown',
    ],
    ['nothing', '', 'unknown unknown unknown'],
  ])('reads %s', (_, userAgent, expected) => {
    const { device, browser, os, bot } = parseUserAgent(userAgent);
    expect([`${device} ${browser} ${os}`, bot]).toEqual([expected, undefined]);
  });

  it.each([
    ['googlebot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    [
      'googlebot',
      `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${mobileChrome} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    ],
    ['googlebot', 'Googlebot-Image/1.0'],
    [
      'googlebot',
      `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${mobileChrome} (compatible; Google-InspectionTool/1.0;)`,
    ],
    [
      'googlebot',
      `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${mobileChrome} (compatible; GoogleOther)`,
    ],
    ['googlebot', `Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) ${chrome}`],
    ['googlebot', 'AdsBot-Google (+http://www.google.com/adsbot.html)'],
    ['googlebot', 'Mediapartners-Google'],
    ['googlebot', 'FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)'],
    [
      'bingbot',
      `Mozilla/5.0 ${webkit.replace(')', '; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)')} Chrome/116.0.1938.76 Safari/537.36`,
    ],
    ['bingbot', `${windows} ${chrome} Edg/138.0.0.0 BingPreview/1.0b`],
    ['bingbot', 'Mozilla/5.0 (compatible; adidxbot/2.0; +http://www.bing.com/bingbot.htm)'],
    ['duckduckbot', 'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)'],
    ['duckduckbot', 'DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)'],
    ['facebookbot', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    [
      'facebookbot',
      `${mac} AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0`,
    ],
    [
      'facebookbot',
      'Mozilla/5.0 (compatible; FacebookBot/1.0; +https://developers.facebook.com/docs/sharing/webmasters/facebookbot/)',
    ],
    ['facebookbot', 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)'],
    ['facebookbot', 'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)'],
    ['applebot', `${mac} ${apple} Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)`],
    [
      'applebot',
      `${iPhone} ${apple} Version/17.4 Mobile/15E148 Safari/604.1 (Applebot/0.1; +http://www.apple.com/go/applebot)`,
    ],
    ['chatgpt', `Mozilla/5.0 ${webkit}; compatible; GPTBot/1.2; +https://openai.com/gptbot`],
    ['chatgpt', `Mozilla/5.0 ${webkit}; compatible; ChatGPT-User/1.0; +https://openai.com/bot`],
    ['chatgpt', `${mac} ${chrome}; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot`],
    ['anthropic', `Mozilla/5.0 ${webkit}; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)`],
    ['anthropic', `Mozilla/5.0 ${webkit}; compatible; Claude-User/1.0; +Claude-User@anthropic.com)`],
    ['anthropic', `Mozilla/5.0 ${webkit}; compatible; Claude-SearchBot/1.0; +Claude-SearchBot@anthropic.com)`],
    ['anthropic', 'anthropic-ai/1.0'],
    ['unknown', `Mozilla/5.0 ${webkit}; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)`],
    ['unknown', 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)'],
    ['unknown', 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)'],
    ['unknown', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['unknown', `${linux} ${webkit} HeadlessChrome/138.0.0.0 Safari/537.36`],
    ['unknown', 'curl/8.7.1'],
    ['unknown', 'Wget/1.24.5'],
    ['unknown', 'python-requests/2.32.4'],
    ['unknown', 'Go-http-client/2.0'],
    ['unknown', 'node'],
    ['unknown', 'PostmanRuntime/7.44.1'],
  ])('finds the bot %s in %s', (bot, userAgent) => {
    expect(parseUserAgent(userAgent).bot).toBe(bot);
  });

  it('reads what else a bot says about itself', () => {
    expect(parseUserAgent('curl/8.7.1')).toEqual({
      device: 'unknown',
      browser: 'unknown',
      os: 'unknown',
      bot: 'unknown',
    });
    expect(parseUserAgent(`${mac} ${apple} Version/17.4 Safari/605.1.15 (Applebot/0.1)`)).toEqual({
      device: 'desktop',
      browser: 'safari',
      os: 'macos',
      bot: 'applebot',
    });
  });

  it('looks at 512 characters', () => {
    const padded = (length: number) => `${windows} ${chrome}`.padEnd(length, ' .');
    expect(parseUserAgent(`${padded(512)}Googlebot/2.1`).bot).toBeUndefined();
    expect(parseUserAgent(`${padded(490)} Googlebot/2.1`).bot).toBe('googlebot');
  });

  it('takes time by its length only for hostile texts', () => {
    const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const fragments = [
      'a/',
      '1.',
      '_1',
      ' /',
      '/ (',
      'opr/',
      'opt/1',
      'version/1',
      'slackbot-',
      'nexus ',
      'os 1_',
      '\u{1f600}',
      'ü',
    ];
    const starts = ['', 'version/', 'Mozilla/5.0 (', 'Opera/', 'OPT/', 'Windows NT ', 'mac os x ', 'linespider-', 'a/'];
    for (const start of starts)
      for (const part of [...characters, ...fragments]) {
        const text = start + part.repeat(512);
        expectLinear((length) => parseUserAgent(text.slice(0, length)), 60);
      }
  });
});

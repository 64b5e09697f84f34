import Bowser from 'bowser';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import type { bots, browsers, devices, systems } from '../events/resources.js';

type Device = (typeof devices)[number];
type Browser = (typeof browsers)[number];
type System = (typeof systems)[number];

/** The device, browser, system and bot that a user agent claims to be. */
export interface Agent {
  readonly device: Device;
  readonly browser: Browser;
  readonly os: System;
  /** Absent for people. */
  readonly bot?: (typeof bots)[number];
}

/** Characters that are looked at: the patterns take quadratic time on hostile texts. */
const maxText = 512;
const agents = new LRUCache<string, Agent>({ max: 5000 });

/** Other browsers are unknown, also those that are built on one of these. */
const browserNames: Record<string, Browser> = {
  Chrome: 'chrome',
  Chromium: 'chrome',
  Firefox: 'firefox',
  Safari: 'safari',
  'Microsoft Edge': 'edge',
  'Internet Explorer': 'ie',
  Opera: 'opera',
  'Opera Coast': 'opera',
  'Opera Touch': 'opera',
};

const systemNames: Record<string, System> = {
  Windows: 'windows',
  'Windows Phone': 'windows',
  macOS: 'macos',
  Linux: 'linux',
  'Chrome OS': 'linux',
  Android: 'android',
  iOS: 'ios',
};

const deviceNames: Record<string, Device> = { desktop: 'desktop', tablet: 'tablet', mobile: 'mobile' };

/** Televisions and consoles, most of which Bowser takes for tablets or desktops. */
const livingRoom =
  /\b(?:smart-?|google|apple|android ?|web0?s)?tv\b|hbbtv|netcast|bravia|chromecast|crkey|\baft[a-z]+\d* build|xbox|playstation|nintendo/i;

/** Reads the beginning of a user agent. Results are cached. */
export function parseUserAgent(userAgent: string): Agent {
  const text = userAgent.slice(0, maxText);
  const known = agents.get(text);
  if (known) return known;
  const agent = parseUncached(text);
  agents.set(text, agent);
  return agent;
}

function parseUncached(userAgent: string): Agent {
  // Bowser refuses an empty text.
  if (userAgent === '') return { device: 'unknown', browser: 'unknown', os: 'unknown' };
  const parser = Bowser.getParser(userAgent, true);
  const bot = botOf(userAgent);
  return {
    device: deviceOf(userAgent, parser.getPlatformType()),
    browser: browserNames[parser.getBrowserName()] ?? 'unknown',
    os: systemNames[parser.getOSName()] ?? 'unknown',
    ...(bot ? { bot } : {}),
  };
}

function deviceOf(userAgent: string, platform: string): Device {
  if (livingRoom.test(userAgent)) return 'unknown';
  // Bowser knows no platform for ChromeOS and the BSDs.
  return deviceNames[platform] ?? (platform === '' && /\bX11;/.test(userAgent) ? 'desktop' : 'unknown');
}

type Bot = (typeof bots)[number];

/** Matches the crawlers and fetchers of each operator by their user agents. The first match counts: some also name another operator. */
const names: readonly [Bot, RegExp][] = [
  ['chatgpt', /gptbot|chatgpt-user|oai-searchbot|oai-adsbot/i],
  ['anthropic', /claudebot|claude-(?:user|searchbot|web|code)|anthropic-ai/i],
  ['applebot', /applebot/i],
  ['duckduckbot', /duckduckbot|duckassistbot|duckduckgo-favicons-bot/i],
  ['facebookbot', /facebookexternalhit|facebookcatalog|facebookbot|facebot|meta-(?:external|webindexer)/i],
  ['bingbot', /bingbot|bingpreview|adidxbot|msnbot|bingvideopreview/i],
  [
    'googlebot',
    /googlebot|googleother|google-(?:inspectiontool|safety|cloudvertexbot|read-aloud|site-verification)|(?:storebot|mediapartners|feedfetcher)-google|(?:adsbot|apis)-google/i,
  ],
];

/** The bot that sends this user agent; undefined for people, `unknown` for bots without a name of their own here. */
function botOf(userAgent: string): Bot | undefined {
  const named = names.find(([, pattern]) => pattern.test(userAgent));
  return named?.[0] ?? (isbot(userAgent) ? 'unknown' : undefined);
}

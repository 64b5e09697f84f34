import { type HintStyle, stylesByWord } from './hint-styles.js';

/** Signs of Notion's callouts that say no more than the style of a hint does. */
const signs: Record<HintStyle, string> = {
  info: '💡 ℹ️ ℹ 📌 📝 🗒️ 👉',
  success: '✅ ✔️ ✔ ☑️ 🎉 👍',
  warning: '⚠️ ⚠ ❗ ❕ ‼️ 🚧 🔥 👀',
  danger: '🚨 🛑 ⛔ 🚫 ❌ ☠️',
};

const bySign = stylesByWord(signs);

/** The style of the hint that a callout with this icon becomes; undefined for an icon that means something else. */
export const hintStyleOfIcon = (icon: string): HintStyle | undefined => bySign.get(icon);

const emoji =
  /^(?:\p{Extended_Pictographic}(?:[\uFE0F\u{1F3FB}-\u{1F3FF}\u{E0020}-\u{E007F}]|\u200D\p{Extended_Pictographic}){0,20}|\p{Regional_Indicator}{2}|[\d#*]\uFE0F?\u20E3)$/u;

/** Whether a word is one emoji and nothing else. */
export const isOneEmoji = (word: string): boolean => word.length <= 40 && emoji.test(word);

import type { english } from './english/english.js';

type Text<T> = { readonly [K in keyof T]: string };

/** The texts of the app, by what they are for. `{0}` and `{1}` stand for what a text is about. */
export type Words = { readonly [Topic in keyof typeof english]: Text<(typeof english)[Topic]> };

/** Another language: a text that it lacks is shown in English. */
export type Translation = { readonly [Topic in keyof Words]?: Partial<Words[Topic]> };

/** Names a text that says what was just done. */
export type DoneKey = keyof Words['done'];

import { cellAt } from './cells.js';

/** Where a visitor is, as far as it is known. */
export interface Place {
  /** ISO 3166-1 code of two letters. */
  country?: string;
  continent?: string;
  /** The English name. */
  city?: string;
  /** The number of an H3 cell of resolution 15. */
  cell?: string;
}

const twoLetters = /^[a-z]{2}$/i;
const degrees = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/** Reads the place of a visitor from the headers that a renderer sends. */
export function placeOfHeaders(headers: Readonly<Record<string, string | undefined>>): Place {
  return validPlace({
    country: headers['x-location-country'],
    continent: headers['x-location-continent'],
    latitude: parseDegrees(headers['x-location-latitude']),
    longitude: parseDegrees(headers['x-location-longitude']),
  });
}

/** A place of what is valid of a header or a record, and nothing else. */
export function validPlace(given: Record<'country' | 'continent' | 'latitude' | 'longitude', unknown>): Place {
  const country = validCode(given.country);
  const continent = validCode(given.continent);
  const cell = validCell(given.latitude, given.longitude);
  return { ...(country && { country }), ...(continent && { continent }), ...(cell && { cell }) };
}

function validCode(given: unknown): string | undefined {
  if (typeof given !== 'string' || !twoLetters.test(given)) return undefined;
  const code = given.toUpperCase();
  // Proxies send these where they do not know the country.
  return code === 'XX' || code === 'ZZ' ? undefined : code;
}

const validCell = (latitude: unknown, longitude: unknown): string | undefined =>
  isWithin(latitude, 90) && isWithin(longitude, 180) ? cellAt(latitude, longitude) : undefined;

const isWithin = (given: unknown, max: number): given is number => typeof given === 'number' && Math.abs(given) <= max;

const parseDegrees = (text: string | undefined): number | undefined =>
  text !== undefined && degrees.test(text) ? Number(text) : undefined;

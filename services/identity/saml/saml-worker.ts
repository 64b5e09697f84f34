import { failureOf } from '../../../shared/errors/errors.js';
import type { SignedInPerson } from '../single-sign-on/admission.js';
import { type SamlQuestion, verifyAnswer } from './assertion.js';

/** A refusal is a value because errors lose their type on the way out of a thread. */
export type SamlVerdict = { identity: SignedInPerson } | { refused: string };

export async function verify(question: SamlQuestion): Promise<SamlVerdict> {
  try {
    return { identity: await verifyAnswer(question) };
  } catch (error) {
    const { type, message } = failureOf(error);
    if (type !== 'FORBIDDEN') throw error;
    return { refused: message };
  }
}

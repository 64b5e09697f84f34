import { invalid } from '../../../../../../shared/errors/errors.js';
import { checkBase64 } from '../../../../format/space/base64.js';
import type { ImportSource } from '../resources.js';
import { checkSourceAddress } from './source-address.js';

interface Given {
  url?: string | undefined;
  file?: { name: string; base64: string } | { key: string } | undefined;
  source: ImportSource;
}

/** The address as it is shown; or a file that was sent, with its name; or the key of one that was uploaded. */
type GivenSource = { url: string } | { url: string; bytes: Buffer } | { key: string };

/** Throws 400 for an address that `checkSourceAddress` refuses, and for a file that is none or whose source has no files. */
export function checkGiven(
  { allowCidrs }: { allowCidrs: readonly string[] },
  { url, file, source }: Given,
): GivenSource {
  if (url !== undefined && file !== undefined) throw invalid('file: give either url or file');
  if (url !== undefined) return { url: checkSourceAddress({ url, source }, allowCidrs) };
  if (!file) throw invalid('url: required, where no file is sent');
  if (source === 'website' || source === 'github-wiki') throw invalid(`file: a ${source} has an address; give its url`);
  if ('key' in file) return { key: file.key };
  checkBase64(file.base64, 'file.base64');
  return { url: file.name, bytes: Buffer.from(file.base64, 'base64') };
}

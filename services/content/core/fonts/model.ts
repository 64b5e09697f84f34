import type { BlobLinks } from '../../../../shared/blobs/links.js';
import { permissionsOf } from '../../../../shared/contract/access.js';
import { collection } from '../../../../shared/store/port.js';
import { organizationKind } from '../../../identity/resources.js';
import type { Owner } from '../storage/ledger.js';
import type { FontFormat } from '../storage/uploads/font-format.js';
import type { Font, FontDefinition } from './resources.js';

export interface FontFace {
  weight: number;
  blob: string;
  /** Bytes. */
  size: number;
  format: FontFormat;
}

export interface FontDocument {
  _id: string;
  organization: string;
  fontFamily: string;
  /** In the order of weights and formats; each pair once. */
  faces: FontFace[];
  createdAt: string;
  /** Incremented with each change. */
  version: number;
}

export const fonts = collection<FontDocument>('content_fonts', [{ on: { organization: 1, createdAt: 1 } }]);

/** The owner that the ledger counts the files of a font under: its id takes the place of a space's. */
export const fontOwner = ({ _id: space, organization }: Pick<FontDocument, '_id' | 'organization'>): Owner => ({
  organization,
  space,
});

interface Linking {
  baseUrl: string;
  links: BlobLinks;
}

/** A font as customizations hold it: a face for each weight, with a source for each format, the smallest first. */
export function fontDefinition(
  { baseUrl, links }: Linking,
  { _id: id, fontFamily, faces }: FontDocument,
): FontDefinition {
  const sourceOf = ({ weight, blob, format }: FontFace) => ({
    url: `${baseUrl}${links.signedPathOf({ id: blob, name: `${fontFamily.replaceAll(' ', '-')}-${weight}.${format}` })}`,
    ...(format === 'woff2' || format === 'woff' ? { format } : {}),
  });
  const weights = [...new Set(faces.map(({ weight }) => weight))];
  return {
    id,
    custom: true,
    fontFamily,
    fontFaces: weights.map((weight) => ({
      weight,
      sources: faces.filter((face) => face.weight === weight).map(sourceOf),
    })),
  };
}

/** The API resource of a font; `role` is that of the caller in the organization. */
export const presentFont = (linking: Linking, font: FontDocument, role: string | null): Font => ({
  ...fontDefinition(linking, font),
  permissions: { edit: permissionsOf(organizationKind, role).createContent },
});

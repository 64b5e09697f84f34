import { isDeepStrictEqual } from 'node:util';
import type { HasLinks } from '../../../../shared/blobs/links.js';
import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { invalid, notFound } from '../../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { again } from '../../../../shared/store/again.js';
import { checkBound } from '../../../../shared/store/bounds.js';
import { eachDocument, type HasStore, type Store, type Write, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import type { fontOperations } from '../contract/fonts.js';
import { fontChanged } from '../events.js';
import type { HasLedger } from '../storage/ledger.js';
import { type BlobUseDocument, blobUses, usages } from '../storage/model.js';
import { formatOfFont, uploadedFile } from '../storage/uploads/uploads.js';
import { facesAfter, type WantedFace } from './faces.js';
import { keepFontFiles, usesHold } from './font-files.js';
import { type FontDocument, fontDefinition, fontOwner, fonts, presentFont } from './model.js';
import type { FontDefinition } from './resources.js';

type Dependencies = HasStore & HasBlobs & HasLinks & HasLedger & HasOutbox & { baseUrl: string };

const maxFonts = 100;

export function fontHandlers(deps: Dependencies): HandlersOf<typeof fontOperations> {
  const { store, outbox } = deps;
  const noteChange = ({ organization, _id: font }: FontDocument): Write =>
    outbox.add(fontChanged, { organization, font });
  return {
    async listCustomFonts({ path: { organizationId: organization } }, { access: { role } }) {
      const { items } = await store.page(fonts, { filter: { organization }, sort: { createdAt: 1 }, limit: maxFonts });
      return { count: items.length, items: items.map((font) => presentFont(deps, font, role)) };
    },

    async createCustomFont({ path: { organizationId: organization }, body }, { access: { role }, audit }) {
      await checkBound(store, fonts, { organization }, { max: maxFonts, what: 'fonts of an organization' });
      const { fontFamily } = body;
      const font = { _id: newId(), organization, fontFamily, createdAt: timestamp(), version: 1 };
      const faces = facesAfter([], await wantedFaces(deps, { organization, fontFaces: body.fontFaces }));
      const made: FontDocument = { ...font, faces };
      await keepFontFiles(deps, made);
      await store.batch([
        ...usesHold(made),
        write.insert(fonts, made),
        audit('font', made._id, { details: { fontFamily, weights: weightsOf(made) } }),
      ]);
      return presentFont(deps, made, role);
    },

    async getCustomFont({ path }, { access: { role } }) {
      return presentFont(deps, await fontOf(store, path), role);
    },

    async updateCustomFont({ path, body }, { access: { role }, audit }) {
      const { organizationId: organization } = path;
      const wanted = await wantedFaces(deps, { organization, fontFaces: body.fontFaces ?? [] });
      const after = await again(async () => {
        const before = await fontOf(store, path);
        const { fontFamily = before.fontFamily } = body;
        const changed = { ...before, fontFamily, faces: facesAfter(before.faces, wanted) };
        if (isDeepStrictEqual(before, changed)) return before;
        const next = { ...changed, version: before.version + 1 };
        await keepFontFiles(deps, next);
        await dropFiles(deps, next, [
          ...usesHold(next),
          write.update(
            fonts,
            { _id: before._id, version: before.version },
            { $set: { fontFamily, faces: next.faces, version: next.version } },
            { expect: 1 },
          ),
          noteChange(next),
          audit('font', before._id, { details: { fontFamily, weights: weightsOf(next) } }),
        ]);
        return next;
      });
      return presentFont(deps, after, role);
    },

    async deleteCustomFont({ path }, { audit }) {
      const font = await fontOf(store, path);
      await dropFiles(deps, { ...font, faces: [] }, [
        write.delete(fonts, { _id: font._id }, { expect: 1 }),
        write.delete(usages, { _id: font._id }),
        noteChange(font),
        audit('font', font._id, { details: { fontFamily: font.fontFamily } }),
      ]);
    },
  };
}

/** The definitions of fonts of an organization; those that it does not have are left out. */
export async function fontDefinitionsOf(
  deps: HasStore & HasLinks & { baseUrl: string },
  { organization, ids }: { organization: string; ids: string[] },
): Promise<FontDefinition[]> {
  const found = await deps.store.getMany(fonts, ids);
  return found.filter((font) => font.organization === organization).map((font) => fontDefinition(deps, font));
}

async function fontOf(
  store: Store,
  { organizationId, fontId }: { organizationId: string; fontId: string },
): Promise<FontDocument> {
  const font = await store.get(fonts, fontId);
  if (font?.organization !== organizationId) throw notFound('Font');
  return font;
}

const weightsOf = ({ faces }: FontDocument): number[] => [...new Set(faces.map(({ weight }) => weight))];

interface Given {
  organization: string;
  fontFaces: { weight: number; storageKey: string | null }[];
}

/** The files of a request. Throws 412 for a key under which no font was uploaded. */
const wantedFaces = (
  { store, blobs }: HasStore & HasBlobs,
  { organization, fontFaces }: Given,
): Promise<WantedFace[]> =>
  Promise.all(
    fontFaces.map(async ({ weight, storageKey: key }, at): Promise<WantedFace> => {
      if (key === null) return { weight, face: null };
      const field = `fontFaces.${at}.storageKey`;
      const file = await uploadedFile(store, { organization, kind: 'customization_font', key, field });
      const format = await formatOfFont(blobs, file);
      if (!format) throw invalid(`${field}: is no font`);
      return { weight, face: { weight, blob: file.blob, size: file.size, format } };
    }),
  );

/** Ends the use of all files that the font does not have any more, in one batch with `writes`. */
async function dropFiles({ store, ledger }: HasStore & HasLedger, font: FontDocument, writes: Write[]): Promise<void> {
  const kept = new Set(font.faces.map(({ blob }) => blob));
  const unused: BlobUseDocument[] = [];
  for await (const use of eachDocument(store, blobUses, { space: font._id })) if (!kept.has(use.blob)) unused.push(use);
  await ledger.removeBlobUses(fontOwner(font), unused, writes);
}

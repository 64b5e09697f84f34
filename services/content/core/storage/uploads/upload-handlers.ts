import type { HandlersOf } from '../../../../../shared/contract/service.js';
import { conflict, invalid } from '../../../../../shared/errors/errors.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { uploadTokens } from '../../../../../shared/secrets/upload-tokens.js';
import { type HasStore, write } from '../../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../../shared/values/ids.js';
import type { uploadOperations } from '../../contract/uploads.js';
import type { HasLedger } from '../ledger.js';
import { type UploadDocument, uploads } from './model.js';
import { uploadKinds } from './resources.js';
import { pendingUploads, uploadKey } from './uploads.js';

/** Files that an organization uploads within a day, and their bytes. */
const maxPending = 200;
const maxPendingBytes = 1_000_000_000;
/** How long the URL of an upload is valid. */
const validSeconds = 3600;

export const uploadHandlers = ({
  store,
  secrets,
  ledger,
  baseUrl,
}: HasStore & HasSecrets & HasLedger & { baseUrl: string }): HandlersOf<typeof uploadOperations> => {
  const tokens = uploadTokens(secrets, baseUrl);
  return {
    async generateStorageUploadURL({ path: { organizationId: organization }, body: { file, kind } }, { audit }) {
      const maxBytes = uploadKinds[kind];
      if (file.size > maxBytes) throw invalid(`file.size: at most ${maxBytes} bytes for ${kind}`);
      const { count, bytes } = await pendingUploads(store, organization);
      if (count >= maxPending || bytes + file.size > maxPendingBytes)
        throw conflict('The organization uploads too much; what is not used is removed after a day', 'limit_reached');
      await ledger.checkRoom(organization, bytes + file.size);
      const { name, type, size } = file;
      const upload: UploadDocument = {
        _id: newId(),
        organization,
        kind,
        name,
        type: type.toLowerCase(),
        size,
        createdAt: timestamp(),
      };
      await store.batch([
        write.insert(uploads, upload),
        audit('upload', upload._id, { details: { kind, name, type, size } }),
      ]);
      const token = await tokens.sign({ upload: upload._id }, validSeconds);
      return { object: 'storage-signed-url', url: `${baseUrl}/~uploads/${token}`, key: uploadKey(upload) };
    },
  };
};

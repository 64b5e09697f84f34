import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Collection, MongoServerError, ObjectId } from 'mongodb';
import { type Connection, callMongo, connect, type MongoOptions } from '../store/mongodb/connection/connection.js';
import type { Kind } from '../store/mongodb/connection/outages.js';
import { repeatTransient } from '../store/mongodb/connection/retries.js';
import { sha256InSlices } from '../values/ids.js';
import { clipRange, emptyContent, toPieces } from './content.js';
import type { Blobs } from './port.js';

/**
 * GridFS's row of a file. `filename` is the id of a blob, or `upload/…` before it is one and `dropped/…` after; these expire,
 * so that `sweep` removes what a dead process left.
 */
interface FileRow {
  _id: ObjectId;
  filename: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  expiresAt?: Date;
}

interface ChunkRow {
  files_id: ObjectId;
  n: number;
  data: Buffer;
}

const BUCKET = 'blobs';
const CHUNK_BYTES = 255 * 1024;
const CHUNKS_A_WRITE = 8;
const CHUNKS_A_READ = 8;
const ROWS_A_SWEEP = 500;
const UPLOAD_MS = 24 * 3600_000;

/** Opens blobs in GridFS. Throws when the server cannot be reached. */
export async function openMongoBlobs(options: MongoOptions): Promise<Blobs & { close(): Promise<void> }> {
  const connection = await connect(options);
  try {
    const blobs = new MongoBlobs(connection);
    await blobs.prepare();
    return blobs;
  } catch (error) {
    await connection.reach.close();
    throw error;
  }
}

class MongoBlobs implements Blobs {
  private readonly files: Collection<FileRow>;
  private readonly chunks: Collection<ChunkRow>;

  constructor(private readonly connection: Connection) {
    this.files = connection.db.collection(`${BUCKET}.files`);
    this.chunks = connection.db.collection(`${BUCKET}.chunks`);
  }

  async prepare(): Promise<void> {
    const expiring = { expiresAt: { $type: 'date' } };
    await repeatTransient(() =>
      this.files.createIndexes([
        { key: { filename: 1 }, name: 'filename_1_unique', unique: true },
        { key: { expiresAt: 1 }, name: 'expiresAt_1', partialFilterExpression: expiring },
      ]),
    );
    await repeatTransient(() => this.chunks.createIndex({ files_id: 1, n: 1 }, { unique: true }));
  }

  async put(content: Buffer | AsyncIterable<Uint8Array>, { expiresAt }: { expiresAt?: Date } = {}) {
    if (Buffer.isBuffer(content)) {
      const id = await sha256InSlices(content);
      if (await this.extendExpiry(id, expiresAt)) return { id, size: content.length };
    }
    const upload = await this.writeUpload(content);
    for (;;) {
      if (await this.nameUpload(upload, expiresAt)) return { id: upload.id, size: upload.size };
      // Another put of the same content was first. If its blob is deleted by now, this upload becomes the blob.
      if (await this.extendExpiry(upload.id, expiresAt)) break;
    }
    await this.deleteContent(upload._id);
    return { id: upload.id, size: upload.size };
  }

  async open(id: string, range?: { start: number; end: number }): Promise<Readable | null> {
    const file = await this.findFile(id);
    if (!file) return null;
    const bytes = clipRange(file.length, range);
    return bytes ? Readable.from(this.readRange(file, bytes.start, bytes.end + 1)) : emptyContent();
  }

  private async *readRange({ _id, chunkSize }: FileRow, start: number, end: number): AsyncGenerator<Buffer> {
    const last = Math.ceil(end / chunkSize);
    for (let n = Math.floor(start / chunkSize); n < last; n += CHUNKS_A_READ) {
      const some = { files_id: _id, n: { $gte: n, $lt: Math.min(n + CHUNKS_A_READ, last) } };
      const rows = await this.runCall('read', () => this.chunks.find(some, raw).sort({ n: 1 }).toArray());
      if (rows.length !== some.n.$lt - n) throw new Error('the blob was deleted while it was read');
      for (const { n: at, data } of rows)
        yield data.subarray(Math.max(0, start - at * chunkSize), Math.min(data.length, end - at * chunkSize));
    }
  }

  async read(id: string): Promise<Buffer | null> {
    const file = await this.findFile(id);
    if (!file) return null;
    const rows = await this.runCall('read', () =>
      this.chunks.find({ files_id: file._id }, raw).sort({ n: 1 }).toArray(),
    );
    const content = Buffer.concat(rows.map(({ data }) => data));
    // The content is shorter when it was deleted meanwhile.
    return content.length === file.length ? content : null;
  }

  async size(id: string): Promise<number | null> {
    return (await this.findFile(id))?.length ?? null;
  }

  async delete(id: string): Promise<void> {
    const file = await this.findFile(id);
    if (file && (await this.hideContent({ _id: file._id, filename: id }))) await this.deleteContent(file._id);
  }

  async sweep(now: Date): Promise<number> {
    const expired = { expiresAt: { $lte: now } };
    let swept = 0;
    for (;;) {
      const rows = await this.runCall('read', () => this.files.find(expired).limit(ROWS_A_SWEEP).toArray());
      for (const { _id, filename } of rows) {
        if (!(await this.hideContent({ _id, ...expired }))) continue;
        await this.deleteContent(_id);
        if (!filename.includes('/')) swept += 1;
      }
      if (rows.length < ROWS_A_SWEEP) return swept;
    }
  }

  close(): Promise<void> {
    return this.connection.reach.close();
  }

  private findFile(id: string): Promise<FileRow | null> {
    return this.runCall('read', () => this.files.findOne({ filename: String(id) }));
  }

  /** Extends the expiry of a blob; false when the blob does not exist. */
  private async extendExpiry(id: string, expiresAt?: Date): Promise<boolean> {
    if (!expiresAt) return this.updateFile({ filename: id }, { $unset: { expiresAt: '' } });
    const longer = await this.updateFile({ filename: id, expiresAt: { $exists: true } }, { $max: { expiresAt } });
    return longer || (await this.findFile(id)) !== null;
  }

  private async writeUpload(content: Buffer | AsyncIterable<Uint8Array>) {
    const _id = new ObjectId();
    const uploadDate = new Date();
    const expiresAt = new Date(uploadDate.getTime() + UPLOAD_MS);
    const row = { _id, filename: `upload/${_id}`, length: 0, chunkSize: CHUNK_BYTES, uploadDate, expiresAt };
    await this.runCall('write', () => this.files.insertOne(row));
    try {
      return { _id, ...(await this.writeChunks(_id, content)) };
    } catch (error) {
      await this.deleteContent(_id).catch(() => {});
      throw error;
    }
  }

  private async writeChunks(files_id: ObjectId, content: Buffer | AsyncIterable<Uint8Array>) {
    const hash = createHash('sha256');
    let size = 0;
    let n = 0;
    let rows: ChunkRow[] = [];
    const insertRows = async () => {
      if (rows.length > 0) await this.runCall('write', () => this.chunks.insertMany(rows));
      rows = [];
    };
    for await (const data of toPieces(content, CHUNK_BYTES)) {
      hash.update(data);
      size += data.length;
      rows.push({ files_id, n: n++, data });
      if (rows.length === CHUNKS_A_WRITE) await insertRows();
    }
    await insertRows();
    return { id: hash.digest('hex'), size };
  }

  /** Turns an upload into the blob; false when a blob with the same content exists. */
  private async nameUpload(
    { _id, id, size }: { _id: ObjectId; id: string; size: number },
    expiresAt?: Date,
  ): Promise<boolean> {
    const named = { filename: id, length: size };
    const update = expiresAt ? { $set: { ...named, expiresAt } } : { $set: named, $unset: { expiresAt: '' as const } };
    try {
      if (await this.updateFile({ _id }, update)) return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === 11000) return false;
      throw error;
    }
    throw new Error('the upload took longer than a day and was swept');
  }

  /** Hides the content and leaves it to `sweep`. */
  private hideContent(which: { _id: ObjectId; filename?: string; expiresAt?: object }): Promise<boolean> {
    return this.updateFile(which, { $set: { filename: `dropped/${which._id}`, expiresAt: new Date(0) } });
  }

  private async deleteContent(_id: ObjectId): Promise<void> {
    await this.runCall('write', () => this.chunks.deleteMany({ files_id: _id }));
    await this.runCall('write', () => this.files.deleteOne({ _id }));
  }

  private async updateFile(filter: object, update: object): Promise<boolean> {
    return (await this.runCall('write', () => this.files.updateOne(filter, update))).matchedCount > 0;
  }

  private runCall<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    return callMongo(this.connection, kind, () => repeatTransient(work));
  }
}

/** Reads binary values as plain Buffers. */
const raw = { promoteBuffers: true };

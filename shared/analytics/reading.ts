import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { apiError, isExpected } from '../errors/errors.js';
import { scaleMs } from '../settings/time-scale.js';

/** A query of ours. What comes from outside is among its parameters, never in its text. */
export interface Query {
  query: string;
  parameters: Record<string, unknown>;
}

/** Limits of one query, and the forms of values in its answer, whatever the server's own settings are. */
const settings = {
  max_execution_time: scaleMs(5),
  max_memory_usage: '1000000000',
  // The other threads are for those who write.
  max_threads: 2,
  max_result_rows: '10000',
  max_result_bytes: '50000000',
  cancel_http_readonly_queries_on_client_close: 1,
  date_time_output_format: 'simple',
  output_format_json_quote_64bit_integers: 1,
  // A failure after the first rows must not look like an answer.
  wait_end_of_query: 1,
} as const;

/** Milliseconds; the database ends a query by itself before that. */
const maxMs = scaleMs(8_000);

const tooSlow = 'The query takes too long: narrow its range or group by less';
const tooLarge = 'The query needs too much memory: narrow its range or group by less';
const tooMuch = 'The query reads or answers too much: narrow its range or group by less';

/** Messages for queries that reached a limit, by ClickHouse's codes of errors. */
const reached: Record<string, string> = {
  158: tooMuch,
  159: tooSlow,
  160: tooSlow,
  241: tooLarge,
  307: tooMuch,
  396: tooMuch,
};

/** ClickHouse's code for more queries at once than it takes. */
const busy = '202';

/** The caller's error when the database cannot be reached or used. */
export const analyticsUnreachable = (cause: unknown): Error =>
  Object.assign(apiError('UNAVAILABLE', 'The analytics database does not answer; try again'), { cause });

/** Turns a failed query into the error for its caller: 422 when it reached a limit, 503 when the database does not answer. */
function queryErrorForCaller(error: unknown): unknown {
  if (isExpected(error)) return error;
  if (!(error instanceof ClickHouseError) || error.code === busy) return analyticsUnreachable(error);
  const limit = reached[error.code];
  return limit ? Object.assign(apiError('UNPROCESSABLE', limit, 'too_complex'), { cause: error }) : error;
}

/** Reads the rows of a query: as objects, or as arrays with `JSONCompactEachRow`. Throws 422 or 503. */
export async function readRows<R>(
  client: ClickHouseClient,
  { query, parameters }: Query,
  format: 'JSONEachRow' | 'JSONCompactEachRow' = 'JSONEachRow',
): Promise<R[]> {
  try {
    const answer = await client.query({
      query,
      query_params: parameters,
      format,
      clickhouse_settings: settings,
      abort_signal: AbortSignal.timeout(maxMs),
    });
    return await answer.json<R>();
  } catch (error) {
    throw queryErrorForCaller(error);
  }
}

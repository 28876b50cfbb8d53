/**
 * JSON over fetch, to our own origin only. A refusal of the service becomes an `ApiError` with its
 * code; what never reached the service is an `ApiError` with the code `OFFLINE`.
 */

export class ApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export interface Call {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** The parsed body of a success. */
export async function call<T>(path: string, options: Call = {}): Promise<T> {
  const { method = 'GET', body, signal } = options
  let response: Response
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ApiError(0, 'OFFLINE', 'The service could not be reached.')
  }
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const isParsed = isJson && method !== 'HEAD'
  const parsed: unknown = isParsed ? await response.json() : await response.text()
  if (response.ok) return parsed as T
  const said = parsed as { code?: string; error?: string }
  throw new ApiError(response.status, said?.code ?? 'UNKNOWN', said?.error ?? response.statusText)
}

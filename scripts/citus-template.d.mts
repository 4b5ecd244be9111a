import type { QueryResult } from 'pg'

export const TEMPLATE: string
export function serversOf(url: string): Promise<string[]>
export function makeTemplate(url: string): Promise<void>
export function databaseAt(url: string, database: string): string
export function ask(url: string, statement: string): Promise<QueryResult>

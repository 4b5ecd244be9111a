import { backup } from './commands/backup.ts'
import { changes } from './commands/changes.ts'
import { check } from './commands/check.ts'
import type { Command } from './contract/command.ts'
import { demo } from './commands/demo/demo.ts'
import { exportTable } from './commands/export.ts'
import { history } from './commands/history.ts'
import { importFile } from './commands/import/import-file.ts'
import {
  archiveUserCommand,
  changePassword,
  createToken,
  createUserCommand,
  inviteUser,
  listTokens,
  listUsers,
  revokeTokenCommand,
} from './commands/people.ts'
import { createFieldCommand, createTableCommand, deleteFieldCommand, deleteTableCommand, listTables, showTable } from './commands/tables.ts'
import { undo } from './commands/undo.ts'
import { eraseTrash, listTrash, purgeTrash, restoreTrash } from './commands/trash.ts'
import { addWebhook, listDeliveries, listWebhooks, removeWebhook, replayDelivery, showWebhook, testWebhook } from './commands/webhooks.ts'

/** The commands that work on an installation, in the order of the help. `serve` and `restore` are in program.ts. */
export const commands: readonly Command[] = [
  demo,
  importFile,
  exportTable,
  history,
  undo,
  listTables,
  showTable,
  createTableCommand,
  deleteTableCommand,
  createFieldCommand,
  deleteFieldCommand,
  listUsers,
  createUserCommand,
  changePassword,
  archiveUserCommand,
  inviteUser,
  createToken,
  listTokens,
  revokeTokenCommand,
  listWebhooks,
  showWebhook,
  addWebhook,
  removeWebhook,
  testWebhook,
  listDeliveries,
  replayDelivery,
  listTrash,
  restoreTrash,
  eraseTrash,
  purgeTrash,
  changes,
  backup,
  check,
]

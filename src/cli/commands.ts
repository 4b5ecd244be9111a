import { explainAccessCommand, listAccess, removeAccess, setAccess } from './commands/access.ts'
import { listAudit } from './commands/audit.ts'
import { backup } from './commands/backup.ts'
import { changes } from './commands/changes.ts'
import { check } from './commands/check.ts'
import type { Command } from './contract/command.ts'
import { demo } from './commands/demo/demo.ts'
import { exportTable } from './commands/export.ts'
import { addFilter, changeFilter, listFilters, removeFilter } from './commands/filters.ts'
import { createGroupCommand, deleteGroupCommand, listGroups, renameGroup } from './commands/groups.ts'
import { history } from './commands/history.ts'
import { importFile } from './commands/import.ts'
import { cancelJobCommand, listJobs } from './commands/jobs.ts'
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
import {
  copyTableCommand,
  createFieldCommand,
  createTableCommand,
  deleteFieldCommand,
  deleteTableCommand,
  listTables,
  showTable,
} from './commands/tables.ts'
import { applyStructureCommand, diffStructure, exportStructureCommand } from './commands/structure.ts'
import { types } from './commands/table-types.ts'
import { undo } from './commands/undo.ts'
import { eraseTrash, listTrash, purgeTrash, restoreTrash } from './commands/trash.ts'
import { addWebhook, listDeliveries, listWebhooks, removeWebhook, replayDelivery, showWebhook, testWebhook } from './commands/webhooks.ts'

/** The commands that work on an installation, in the order of the help. `serve` and `restore` are in program.ts. */
export const commands: readonly Command[] = [
  demo,
  importFile,
  exportTable,
  types,
  exportStructureCommand,
  diffStructure,
  applyStructureCommand,
  history,
  undo,
  listTables,
  showTable,
  createTableCommand,
  copyTableCommand,
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
  listGroups,
  createGroupCommand,
  renameGroup,
  deleteGroupCommand,
  listAccess,
  setAccess,
  removeAccess,
  explainAccessCommand,
  listFilters,
  addFilter,
  changeFilter,
  removeFilter,
  listJobs,
  cancelJobCommand,
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
  listAudit,
  backup,
  check,
]

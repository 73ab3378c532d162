"""From stored rows to what is shown: tables, figures, sentences and the report of every command."""

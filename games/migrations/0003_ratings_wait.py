from django.db import migrations, models
from django.db.models import F, Q


def ask_for_ratings(apps, schema_editor):
    """Matches that ended before there were ratings count as well."""
    matches = apps.get_model("games", "Match").objects
    matches.filter(rated=True, status="over", rated_match__isnull=True).update(rating_due=F("ended"))


class Migration(migrations.Migration):
    dependencies = [("games", "0002_clocks_notices_ratings")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="rating_due",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="ratedmatch",
            name="people",
            field=models.JSONField(default=list),
        ),
        migrations.RunPython(ask_for_ratings, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                fields=["rating_due"], condition=Q(rating_due__isnull=False), name="match_waits_for_ratings"
            ),
        ),
    ]

from django.db import migrations, models
from django.utils import timezone


def begin_with_created(apps, schema_editor):
    """Of matches that are there already nobody knows when they were joined."""
    apps.get_model("games", "Match").objects.update(joined=models.F("created"))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_delivery_tried"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="joined",
            field=models.DateTimeField(default=timezone.now),
        ),
        migrations.RunPython(begin_with_created, migrations.RunPython.noop),
    ]
